package import Digests
package import Manifests

/// A file that nobody here has seen: its name, size and digest as somebody published them.
package struct DeclaredFile: Hashable, Sendable {
  package let path: RelativePath
  package let size: Int
  package let sha256: SHA256Digest

  /// Reads `NAME:SIZE:SHA256`, the size in bytes, at least one, and in plain digits.
  ///
  /// - Throws: ``PublishingError/badDeclaration(_:)``, or `ManifestError` for a name that breaks a rule.
  package init(_ text: String) throws {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(decoding: Array($0), as: UTF8.self) }
    guard parts.count == 3, let size = Self.size(parts[1]), let digest = SHA256Digest(hex: parts[2])
    else { throw PublishingError.badDeclaration(text) }
    path = try RelativePath(parts[0])
    self.size = size
    sha256 = digest
  }

  private static func size(_ text: String) -> Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let size = Int(text), text.utf8.allSatisfy(digits.contains),
      (1...FileEntry.maximumSize).contains(size)
    else { return nil }
    return size
  }
}
