import CCrypto

/// A key for tags that never leave the process, so that nobody can choose bytes by it.
///
/// It protects what one run compares with itself, and is worth nothing afterwards: no secret that must not stay in memory.
package struct TagKey: Sendable {
  fileprivate let bytes: [UInt8]

  /// Takes a known key of 32 bytes, which proves nothing to anybody: for published examples.
  package init(known bytes: [UInt8]) {
    precondition(bytes.count == 32, "a key has 32 bytes")
    self.bytes = bytes
  }

  /// Draws a key from the system.
  package init() {
    var generator = SystemRandomNumberGenerator()
    bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}

/// What tells bytes from others as surely as a digest does, to those who have the key.
///
/// Nobody sees how long a comparison takes, so it may be an ordinary one.
package struct KeyedTag: Hashable, Sendable {
  package let bytes: [UInt8]
}

/// Computes Poly1305 (RFC 8439, section 2.5) over bytes that come in pieces, at several times the speed of SHA-256.
///
/// Without the key, nobody finds bytes with the tag of others: for up to 16 MiB of each, the odds are below 2⁻⁸⁰ a try. That
/// several messages have one key does no harm, since no tag is ever shown.
@safe package final class TagMaker {
  private static let tagSize = 16

  private let context: OpaquePointer
  private let key: TagKey

  /// Returns nil where libcrypto was built or set up without Poly1305.
  package init?(_ key: TagKey) {
    guard let method = unsafe EVP_MAC_fetch(nil, "POLY1305", nil) else { return nil }
    defer { unsafe EVP_MAC_free(method) }
    guard let context = unsafe EVP_MAC_CTX_new(method) else { return nil }
    unsafe self.context = context
    self.key = key
    reset()
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }

  /// Adds `bytes` to what is tagged.
  package func update(_ bytes: Span<UInt8>) {
    let status = unsafe bytes.withUnsafeBufferPointer {
      unsafe EVP_MAC_update(context, $0.baseAddress, $0.count)
    }
    precondition(status == 1, "libcrypto takes any bytes")
  }

  /// Returns the tag of all bytes added since the last call, and starts anew.
  package func finalizeAndReset() -> KeyedTag {
    var tag = [UInt8](repeating: 0, count: Self.tagSize)
    var count = 0
    let status = unsafe EVP_MAC_final(context, &tag, &count, tag.count)
    precondition(status == 1 && count == tag.count, "libcrypto finishes what it started")
    reset()
    return KeyedTag(bytes: tag)
  }

  private func reset() {
    let status = unsafe EVP_MAC_init(context, key.bytes, key.bytes.count, nil)
    precondition(status == 1, "libcrypto takes a key of 32 bytes")
  }
}
