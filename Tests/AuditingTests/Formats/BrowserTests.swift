import Auditing
import Foundation
import TestSupport
import Testing

/// The page in a real browser: it says nothing on its console, its policy stops what is not ours, and people can look at
/// it.
@Suite(
  .enabled(if: Browser.pictures != nil, "scripts/test-report-page brings a browser"),
  .serialized
)
struct BrowserTests {
  /// What a person looks at.
  static let shown: [(ReportScene, height: Int)] = [
    (.cleanMany, 2_900), (.cleanMore, 3_000), (.damaged, 3_400), (.manyChunks, 3_400),
    (.moreChunks, 3_400), (.sampled, 2_400), (.allWrong, 2_400), (.unfinished, 2_000),
    (.everyVerdict, 4_000), (.hostile, 4_000), (.quick, 1_800), (.empty, 1_400),
  ]

  @Test(arguments: shown)
  func `a browser has nothing to say of it, in light and in dark`(
    scene: ReportScene,
    height: Int
  ) async throws {
    let page = try Browser.write(HTMLReport(scene.report()).bytes, "\(scene).html")
    for isDark in [false, true] {
      let picture = "\(scene)-\(isDark ? "dark" : "light").png"
      let said = try await Browser.picture(of: page, to: picture, height: height, isDark: isDark)
      #expect(said == [])
    }
  }

  @Test func `the policy of the page stops a script, an image and another style`() async throws {
    let text = String(decoding: HTMLReport(try ReportScene.clean.report()).bytes, as: UTF8.self)
    let foreign = """
      <script>console.log("ran")</script><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
      <p style="color: red">red</p><style>p { color: red }</style>
      """
    let page = try Browser.write(
      Array(text.replacing("</body>", with: foreign + "</body>").utf8),
      "foreign.html"
    )
    let said = try await Browser.picture(of: page, to: "foreign.png", height: 1_400, isDark: false)
    #expect(said.count == 4)
    #expect(said.allSatisfy { $0.contains("Content Security Policy") }, "\(said)")
  }
}

private enum Browser {
  /// The folder that the pictures go to.
  static let pictures = ProcessInfo.processInfo.environment["SEALIFT_PAGES"]

  static func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = "\(try #require(pictures))/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// Takes a picture of a page, and returns the lines of its console.
  static func picture(
    of page: String,
    to name: String,
    height: Int,
    isDark: Bool
  ) async throws -> [String] {
    let picture = "\(try #require(pictures))/\(name)"
    try? FileManager.default.removeItem(atPath: picture)
    let outcome = try await Tool(path: "/usr/bin/chromium").run([
      "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
      "--enable-logging=stderr", "--user-data-dir=\(try #require(pictures))/profile",
      "--window-size=1280,\(height)", "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      "--screenshot=\(picture)", "file://\(page)",
    ])
    try #require(FileManager.default.fileExists(atPath: picture), "\(outcome.errors)")
    return outcome.errors.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") }
  }
}
