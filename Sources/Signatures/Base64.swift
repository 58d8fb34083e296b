import CSodium

/// Base64 (RFC 4648) in which every sequence of bytes has one spelling per alphabet.
package enum Base64 {
  /// Writes `bytes` in the standard alphabet with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: digits(of: bytes.span), as: UTF8.self)
  }

  /// Reads text in the standard or the URL-safe alphabet, with padding.
  ///
  /// Nil for anything else: mixed alphabets, missing or surplus padding, white space, trailing bits that are
  /// not zero.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8).span) }

  /// Reads text as ``decode(_:)-(String)`` does.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    decode(text, variant: sodium_base64_VARIANT_ORIGINAL)
      ?? decode(text, variant: sodium_base64_VARIANT_URLSAFE)
  }

  /// Writes `bytes` in the standard alphabet without padding, as OpenSSH prints fingerprints.
  static func encodeUnpadded(_ bytes: [UInt8]) -> String {
    let digits = digits(of: bytes.span, variant: sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Reads text in the standard alphabet without padding; nil for anything else.
  static func decodeUnpadded(_ text: Span<UInt8>) -> [UInt8]? {
    decode(text, variant: sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
  }

  /// The digits of `bytes` as ASCII, which whoever encodes a secret wipes.
  static func digits(
    of bytes: Span<UInt8>,
    variant: CInt = sodium_base64_VARIANT_ORIGINAL
  ) -> [UInt8] {
    let room = sodium_base64_encoded_len(bytes.count, variant)
    return unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe output.withMemoryRebound(to: CChar.self) { output in
          guard let start = output.baseAddress else {
            preconditionFailure("there is room for a NUL")
          }
          unsafe sodium_bin2base64(start, room, input.baseAddress, input.count, variant)
        }
      }
      count = room - 1
    }
  }

  /// Reads `text`, skipping the bytes of `ignoring`, to the start of `output`; nil if it is malformed.
  ///
  /// Takes the same time for all texts of one length and variant. The corresponding C function is
  /// `sodium_base642bin`.
  static func decode(
    _ text: Span<UInt8>,
    into output: inout MutableSpan<UInt8>,
    variant: CInt = sodium_base64_VARIANT_ORIGINAL,
    ignoring: String? = nil
  ) -> Int? {
    guard !text.isEmpty else { return 0 }
    // The C function takes each byte above 0x7F for `/` or `+`.
    var bits: UInt8 = 0
    for index in text.indices { bits |= text[index] }
    guard bits < 0x80 else { return nil }
    var count = 0
    let status = unsafe text.withUnsafeBytes { text in
      unsafe output.withUnsafeMutableBufferPointer { output -> CInt in
        guard let start = output.baseAddress else { return -1 }
        let digits = unsafe text.bindMemory(to: CChar.self).baseAddress
        return unsafe sodium_base642bin(
          start,
          output.count,
          digits,
          text.count,
          ignoring,
          &count,
          nil,
          variant
        )
      }
    }
    return status == 0 ? count : nil
  }

  private static func decode(_ text: Span<UInt8>, variant: CInt) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
    var output = bytes.mutableSpan
    guard let count = decode(text, into: &output, variant: variant) else { return nil }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
