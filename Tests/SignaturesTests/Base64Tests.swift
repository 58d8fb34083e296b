import Signatures
import Testing

struct Base64Tests {
  /// RFC 4648 section 10.
  static let samples = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"),
    ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: samples)
  func `bytes and digits correspond as RFC 4648 says`(text: String, digits: String) {
    #expect(Base64.encode(Array(text.utf8)) == digits)
    #expect(Base64.decode(digits) == Array(text.utf8))
  }

  @Test func `both alphabets are read, and the standard one is written`() {
    let bytes: [UInt8] = [0xfb, 0xff, 0xfe, 0xfb]
    #expect(Base64.encode(bytes) == "+//++w==")
    #expect(Base64.decode("+//++w==") == bytes)
    #expect(Base64.decode("-__--w==") == bytes)
  }

  @Test func `all byte values survive at all lengths`() {
    for count in 0...256 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    "+_", "+/-_", "-//--w==", "+//+-w==",
    "Zg", "Zg=", "Zm8", "Zm9vYg", "Z", "Zm9vY",
    "Zg===", "Zm8==", "Zm9v=", "Zm9v====", "=", "====", "=Zg=", "Zg==Zg==", "Zm=8",
    " Zg==", "Zg== ", "Zg==\n", "Zm9v\nYmFy", "Zm9v\r\nYmFy", "Z g==", "\tZg==",
    "Zh==", "Zm9=", "aGl=", "aGk==", "-_==",
    "Zg=\u{0}", "Zm9v\u{0}", "Zm9*", "Zm9é", "Zm9\u{212a}",
  ])
  func `another spelling is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `each byte outside of both alphabets is refused wherever it stands`() {
    let alphabet = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_".utf8
    )
    for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
      for place in 0..<4 {
        var text = Array("AAAAAAAA".utf8)
        text[place] = byte
        #expect(Base64.decode(text.span) == nil, "byte \(byte) at \(place)")
      }
    }
  }

  @Test func `each text of four characters that is read has only one spelling`() {
    let characters = Array("AQgwZ+/=".utf8)
    var accepted = 0
    for one in characters {
      for two in characters {
        for three in characters {
          for four in characters {
            let text = String(decoding: [one, two, three, four], as: UTF8.self)
            guard let bytes = Base64.decode(text) else { continue }
            accepted += 1
            #expect(Base64.encode(bytes) == text)
          }
        }
      }
    }
    #expect(accepted > 0)
  }
}
