import Manifests
import Signatures
import StrictJSON

/// A file that nothing can make again, told by its content: an export never takes its place.
///
/// Keys in text are known by their frames, whatever their kind, and raw ones by their length alone: a file of 32 or 64
/// bytes may be one.
package enum KeptDocument: String, Hashable, Sendable {
  /// A manifest, or another document that somebody may have signed.
  case signedDocument
  case privateKey, publicKey
  /// A trust policy, or another document of these tools.
  case configuration
  /// Bytes of the length of a key.
  case rawKey

  /// The most bytes that are looked at: what is longer than any envelope is none of these.
  static let longest = Envelope.maximumSize

  /// Tells what bytes are; nil for anything that may be replaced.
  package init?(_ bytes: [UInt8]) {
    if let kind = Self.key(in: bytes) ?? Self.document(in: bytes) {
      self = kind
    } else if [32, 64].contains(bytes.count) {
      self = .rawKey
    } else {
      return nil
    }
  }

  private static func key(in bytes: [UInt8]) -> KeptDocument? {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(1_000)
    let frames = lines.filter { $0.starts(with: "-----BEGIN ".utf8) }
    if frames.contains(where: { $0.contains("PRIVATE KEY-----") }) { return .privateKey }
    if frames.contains(where: { $0.contains("PUBLIC KEY-----") }) { return .publicKey }
    if let first = lines.first, first.starts(with: "untrusted comment:".utf8), lines.count > 1 {
      return signatureToolKey(lines[1])
    }
    let words = lines.filter { $0.first != UInt8(ascii: "#") }.prefix(16)
      .flatMap { $0.split(separator: UInt8(ascii: " ")) }
    // A line of a public key, of authorized_keys or of allowed_signers.
    let kinds = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "ed25519:"]
    return words.contains { word in kinds.contains { word.starts(with: $0.utf8) } }
      ? .publicKey : nil
  }

  /// What the second line of a file of minisign or signify holds; nil for a signature, which is longer than a public
  /// key and shorter than a private one.
  private static func signatureToolKey(_ line: ArraySlice<UInt8>) -> KeptDocument? {
    let text = Array(line.filter { $0 != UInt8(ascii: "\r") })
    switch Base64.decode(text.span)?.count {
    case 42: return .publicKey
    case let count? where count > 74: return .privateKey
    default: return nil
    }
  }

  private static func document(in bytes: [UInt8]) -> KeptDocument? {
    let limits = JSONLimits(bytes: longest)
    guard case .object(let members)? = try? JSONReader.parse(bytes, limits: limits) else {
      return nil
    }
    if members.contains("signatures") { return .signedDocument }
    guard case .string(let schema)? = members["schema"] else { return nil }
    return schema.utf8.starts(with: "sealift.".utf8) ? .configuration : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ text: String) -> Bool {
    indices.contains { self[$0...].starts(with: text.utf8) }
  }
}
