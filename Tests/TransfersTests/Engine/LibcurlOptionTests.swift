import Foundation
import TestSupport
import Testing

/// What the sources say to libcurl, and what they must not.
@Suite struct LibcurlOptionTests {
  /// The sources of the engine without their comments.
  private static func sources() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "Sources/Transfers")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }
    return try paths.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
      .split(separator: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .joined(separator: "\n")
  }

  @Test(.rows("A19")) func `a range is asked in one way only`() throws {
    let sources = try Self.sources()
    #expect(sources.contains("CURLOPT_RANGE"))
    #expect(!sources.contains("RESUME_FROM"))
    #expect(!sources.contains("\"Range: "))
  }

  @Test(.rows("E5")) func `silence is timed by clocks of our own`() throws {
    #expect(!(try Self.sources()).contains("LOW_SPEED"))
  }

  @Test(.rows("F5")) func `no transfer is paused`() throws {
    let sources = try Self.sources()
    #expect(!sources.contains("curl_easy_pause"))
    #expect(!sources.contains("WRITEFUNC_PAUSE"))
  }

  @Test(.rows("G2")) func `redirects and codings are not left to libcurl`() throws {
    let sources = try Self.sources()
    #expect(!sources.contains("FOLLOWLOCATION"))
    #expect(!sources.contains("UNRESTRICTED_AUTH"))
    #expect(!sources.contains("CURLOPT_ACCEPT_ENCODING"))
  }
}
