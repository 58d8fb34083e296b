import Digests

/// The name of a public key: the SHA-256 of its OpenSSH form, as `ssh-keygen -l` prints it.
///
/// Written as `SHA256:` and 43 digits of base64 without padding. It names a key; it never proves one.
package struct Fingerprint: Hashable, Sendable {
  private static let prefix = "SHA256:"

  private let digest: SHA256Digest

  init(of key: PublicKey) { self.init(ofOpenSSHBlob: key.openSSHBlob) }

  /// Takes the form that OpenSSH has for keys of every kind (RFC 4253 section 6.6).
  init(ofOpenSSHBlob blob: [UInt8]) { digest = SHA256Digest(of: blob) }

  /// Reads the written form; nil for anything else.
  package init?(_ text: String) {
    let text = Array(text.utf8)
    guard text.starts(with: Self.prefix.utf8) else { return nil }
    let digits = Array(text[Self.prefix.utf8.count...])
    guard let bytes = Base64.decodeUnpadded(digits.span),
      let digest = SHA256Digest(bytes: bytes)
    else { return nil }
    self.digest = digest
  }
}

extension Fingerprint: CustomStringConvertible {
  package var description: String { Self.prefix + Base64.encodeUnpadded(digest.bytes) }
}

extension PublicKey {
  /// The name under which people and documents know the key.
  package var fingerprint: Fingerprint { Fingerprint(of: self) }
}

extension PublicKey: CustomStringConvertible {
  package var description: String { fingerprint.description }
}

extension Fingerprint: Comparable {
  /// Orders fingerprints by the bytes of their digests, so that lists of keys always look the same.
  package static func < (one: Fingerprint, other: Fingerprint) -> Bool {
    one.digest.bytes.lexicographicallyPrecedes(other.digest.bytes)
  }
}
