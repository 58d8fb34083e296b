import Manifests
import SystemFiles
package import Transfers
import Trust

/// Where a manifest is read from.
package enum ManifestSource: Hashable, Sendable {
  case file(String)
  /// An `https`, `http` or `file` URL.
  case url(String)

  /// Reads the envelope; whether it is trusted is another question.
  ///
  /// - Parameter options: How to fetch from a URL.
  /// - Returns: The bytes as they were read.
  /// - Throws: `SystemError`, `FetchError`, or `TrustError.noEnvelope` for a file that is too large for one.
  package func load(_ options: FetchOptions) async throws -> [UInt8] {
    switch self {
    case .file(let path):
      try Self.read(path)
    case .url(let url):
      try await Fetcher(options: options).fetchDocument(url, limit: Envelope.maximumSize)
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      return try OpenFile(reading: path).readAll(limit: Envelope.maximumSize)
    } catch let error where error.isTooLarge {
      throw TrustError.noEnvelope(Envelope.tooLarge)
    } catch {
      throw error.at(path)
    }
  }
}
