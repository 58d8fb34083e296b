import Signatures
import StrictJSON

/// A file that nothing can make again, told by its content: no export and no report takes its place.
///
/// Keys in text are known by their frames, whatever their kind, and raw ones by their length alone: a file of 32 or 64
/// bytes may be one, and so may as many in hexadecimal digits or base64.
package enum KeptDocument: String, Hashable, Sendable {
  /// A manifest, or another document that somebody may have signed.
  case signedDocument
  case privateKey, publicKey
  /// A trust policy, or another document of these tools.
  case configuration
  /// Bytes of the length of a key.
  case rawKey

  /// The most bytes that are looked at: what is longer than any envelope is none of these.
  package static let longest = Envelope.maximumSize

  /// Tells what bytes are; nil for anything that may be replaced.
  package init?(_ bytes: [UInt8]) {
    if let kind = Self.key(in: bytes) ?? Self.document(in: bytes) {
      self = kind
    } else if Self.isRawKey(bytes) {
      self = .rawKey
    } else {
      return nil
    }
  }

  private static func key(in bytes: [UInt8]) -> KeptDocument? {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(1_000)
    let frames = lines.filter { $0.starts(with: "-----BEGIN ".utf8) }
    if frames.contains(where: { $0.contains("PRIVATE KEY") }) { return .privateKey }
    if frames.contains(where: { $0.contains("PUBLIC KEY") }) { return .publicKey }
    if let first = lines.first, first.starts(with: "untrusted comment:".utf8), lines.count > 1 {
      return signatureToolKey(lines[1])
    }
    let stated = lines.filter { $0.first != UInt8(ascii: "#") }.prefix(16)
    return stated.contains { isKey($0) } ? .publicKey : nil
  }

  /// Whether a line is that of a public key, of authorized_keys or of allowed_signers.
  ///
  /// The name of a kind, such as `ssh-ed25519`, may also be that of a file; the base64 after it begins with AAAA, as it
  /// begins with the length of that name.
  private static func isKey(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if let first = words.first, first.starts(with: "ed25519:".utf8) { return true }
    let kinds = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"]
    return zip(words, words.dropFirst()).contains { word, next in
      next.starts(with: "AAAA".utf8) && kinds.contains { word.starts(with: $0.utf8) }
    }
  }

  /// Whether bytes may be a private key without any form, as `key import --raw` reads it, or a public one.
  private static func isRawKey(_ bytes: [UInt8]) -> Bool {
    let counts = [32, 64]
    if counts.contains(bytes.count) { return true }
    let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0d ~= byte }
    let start = bytes.prefix { isSpace($0) }.count
    let digits = Array(bytes[start...].reversed().drop { isSpace($0) }.reversed())
    guard digits.count <= 128 else { return false }
    let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    if isHex, digits.count.isMultiple(of: 2), counts.contains(digits.count / 2) { return true }
    return Base64.decode(digits.span).map { counts.contains($0.count) } ?? false
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
