package import Signatures
import SystemFiles

/// A file with a signature that was made elsewhere.
package enum SignatureFile {
  /// The most bytes that such a file may have.
  private static let limit = 64 * 1024

  /// Reads the signature in the file, or pipe, at `path`; nobody has verified it.
  ///
  /// - Throws: `SignerError.noSignature(_:)`, ``PublishingError/nothingThere(_:)`` and `SystemError`.
  package static func read(_ path: String) throws -> Signature {
    let bytes: [UInt8]
    do {
      bytes = try OpenFile(reading: path).readAll(limit: limit)
    } catch let error where error.isNotFound {
      throw PublishingError.nothingThere(path)
    } catch {
      throw SystemError(error.call, code: error.code, path: path)
    }
    do throws(SignatureFault) {
      return try Signature(printed: bytes)
    } catch {
      throw SignerError.noSignature(error)
    }
  }
}
