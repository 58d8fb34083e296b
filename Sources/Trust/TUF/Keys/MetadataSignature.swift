import Digests
package import Signatures
package import StrictJSON

/// A signature as it stands in a file: hexadecimal digits, it is hoped, under the name of a key.
package struct MetadataSignature: Equatable, Sendable {
  package let keyID: KeyID
  private let digits: ExactText
  /// Members that are not known.
  package let others: JSONObject

  package init(keyID: KeyID, hex: String, others: JSONObject = [:]) {
    (self.keyID, digits, self.others) = (keyID, ExactText(hex), others)
  }

  /// Writes down a signature under the name of its key.
  package init(_ signature: Signature, by key: PublicKey) {
    self.init(keyID: MetadataKey(key).id, bytes: signature.bytes)
  }

  package init(keyID: KeyID, bytes: [UInt8]) {
    self.init(keyID: keyID, hex: hexDigits(of: bytes))
  }

  package var hex: String { digits.text }

  /// The bytes; nil unless the text is hexadecimal digits and nothing else.
  package var bytes: [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex.utf8 {
      guard let value = Self.value(ofHexDigit: digit) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  private static func value(ofHexDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
