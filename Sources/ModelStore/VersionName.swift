package import Digests
package import Manifests

/// The folder name of a version in the store: `<version>-<first 16 hexadecimal digits of the digest>`.
///
/// The digits keep two manifests of one version apart.
package struct VersionName: Hashable, Sendable {
  private static let digitCount = 16

  package let text: String
  package let version: Version

  package init(version: Version, manifest: SHA256Digest) {
    self.version = version
    text = "\(version.text)-\(manifest.hex.prefix(Self.digitCount))"
  }

  /// Reads a folder name; nil if it is none of a version.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let digits = bytes.suffix(Self.digitCount)
    guard bytes.count > Self.digitCount + 1, digits.allSatisfy(Self.isDigit),
      bytes[bytes.count - Self.digitCount - 1] == UInt8(ascii: "-"),
      let version = try? Version(
        String(decoding: bytes.dropLast(Self.digitCount + 1), as: UTF8.self)
      )
    else { return nil }
    self.version = version
    self.text = text
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  /// Whether the name belongs to the manifest with this digest.
  package func belongs(to manifest: SHA256Digest) -> Bool {
    text.utf8.elementsEqual(VersionName(version: version, manifest: manifest).text.utf8)
  }
}
