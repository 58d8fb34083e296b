import CommandErrors
import CommandLineKit
import Installing
import Transfers

extension ManifestSource {
  private static let schemes = ["https", "http", "file"]

  /// Reads an argument: a path that starts with `/`, `./` or `../` is a file, any other text with `://` a URL.
  init(argument text: String) throws(UsageError) {
    let isPath = ["/", "./", "../"].contains { text.utf8.starts(with: $0.utf8) }
    guard !isPath, let scheme = Self.scheme(of: text) else {
      self = .file(text)
      return
    }
    guard Self.schemes.contains(where: { $0.utf8.elementsEqual(scheme.utf8) }) else {
      throw UsageError(
        "a manifest cannot be fetched by \(scheme)",
        helps: ["give an https, http or file URL, or a path"]
      )
    }
    self = .url(text)
  }

  /// What stands before `://`, in lower case.
  private static func scheme(of text: String) -> String? {
    let bytes = Array(text.utf8)
    let mark = bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }
    return mark.map { String(decoding: bytes[..<$0], as: UTF8.self).lowercased() }
  }

  /// Reads the envelope; a URL that fails is told as the manifest's, with what the server did.
  func envelope(_ options: FetchOptions) async throws -> [UInt8] {
    do {
      return try await load(options)
    } catch let error as FetchError {
      throw ConsumerTool.explain(manifest: error)
    }
  }
}
