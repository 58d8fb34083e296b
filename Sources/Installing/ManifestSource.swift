import Manifests
import SystemFiles
package import Transfers

/// Where a manifest is read from.
package enum ManifestSource: Hashable, Sendable {
  case file(String)
  /// An `https`, `http` or `file` URL.
  case url(String)

  /// Reads the envelope; whether it is trusted is another question.
  ///
  /// - Parameter options: How to fetch from a URL.
  /// - Returns: The bytes as they were read.
  /// - Throws: `SystemError` or `FetchError`.
  package func load(_ options: FetchOptions) async throws -> [UInt8] {
    switch self {
    case .file(let path):
      try OpenFile(reading: path).readAll(limit: Envelope.maximumSize)
    case .url(let url):
      try await Fetcher(options: options).fetchDocument(url, limit: Envelope.maximumSize)
    }
  }
}
