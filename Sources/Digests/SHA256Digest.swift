/// A SHA-256 value: 32 bytes, written as 64 lower-case hexadecimal digits.
package struct SHA256Digest: Hashable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  package let bytes: [UInt8]

  /// Takes 32 bytes; nil for any other count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads exactly 64 digits of `0-9a-f`; nil for anything else, upper case included.
  package init?(hex: String) {
    guard hex.utf8.count == 2 * Self.byteCount else { return nil }
    let values = hex.utf8.map(digitValue)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The 64 lower-case hexadecimal digits.
  package var hex: String { hexDigits(of: bytes) }

  /// The digest of no bytes at all: what a file has that was never written.
  package static let ofNothing = SHA256Digest(of: [])

  /// Computes the digest of `bytes`.
  package init(of bytes: [UInt8]) {
    var hasher = SHA256()
    hasher.update(bytes.span)
    self = hasher.finalize()
  }

  /// Takes the 32 bytes that libcrypto has written.
  init(checked bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount)
    self.bytes = bytes
  }
}

extension SHA256Digest: CustomStringConvertible {
  package var description: String { hex }
}

private func digitValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  default: nil
  }
}
