/// An Ed25519 signature (RFC 8032): 64 bytes, of which nothing is known until a key verifies them.
package struct Signature: Hashable, Sendable {
  /// The number of bytes of a signature.
  package static let byteCount = 64

  package let bytes: [UInt8]

  /// Takes 64 bytes; nil for any other count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// Takes the 64 bytes that libsodium has written.
  init(checked bytes: [UInt8]) {
    precondition(bytes.count == Self.byteCount)
    self.bytes = bytes
  }
}
