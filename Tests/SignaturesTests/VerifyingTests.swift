import Signatures
import Testing
import Vectors

struct VerifyingTests {
  private let message = Array("release".utf8)

  @Test func `a signature with any one bit changed is refused`() throws {
    let key = try SampleKeys.first()
    let signature = key.sign(message).bytes
    for bit in 0..<8 * signature.count {
      var changed = signature
      changed[bit / 8] ^= 1 << (bit % 8)
      let other = try #require(Signature(bytes: changed))
      #expect(!key.publicKey.verifies(other, of: message), "bit \(bit)")
    }
  }

  @Test func `a message with any one bit changed is refused`() throws {
    let key = try SampleKeys.first()
    let signature = key.sign(message)
    for bit in 0..<8 * message.count {
      var changed = message
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!key.publicKey.verifies(signature, of: changed), "bit \(bit)")
    }
    #expect(!key.publicKey.verifies(signature, of: message + [0]))
    #expect(!key.publicKey.verifies(signature, of: message.dropLast()))
    #expect(!key.publicKey.verifies(signature, of: []))
  }

  @Test func `a signature by another key is refused`() throws {
    let signature = try SampleKeys.second().sign(message)
    #expect(!(try SampleKeys.first().publicKey.verifies(signature, of: message)))
  }

  @Test(arguments: [0, 1, 63, 65, 128])
  func `only 64 bytes are a signature`(count: Int) {
    #expect(Signature(bytes: [UInt8](repeating: 0, count: count)) == nil)
  }

  /// RFC 8032 section 5.1.7: S in the range 0 to L-1, else each signature would have a twin.
  @Test func `a signature with the group order added to S is refused`() throws {
    let key = try SampleKeys.first()
    let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    var twin = key.sign(message).bytes
    var carry = 0
    for index in 0..<32 {
      let sum = Int(twin[32 + index]) + Int(order[index]) + carry
      twin[32 + index] = UInt8(sum & 0xff)
      carry = sum >> 8
    }
    #expect(carry == 0)
    let signature = try #require(Signature(bytes: twin))
    #expect(!key.publicKey.verifies(signature, of: message))
  }

  /// The equation of RFC 8032 holds for this signature, made with the secret key, and OpenSSL accepts it.
  static let neutralSignature =
    "0100000000000000000000000000000000000000000000000000000000000000"
    + "f0a69ddebb802c89e405561d3315c191f2a6a984f8b7999f1f271e28c0a9850d"

  @Test func `a signature whose R has a small order is refused`() throws {
    let signature = try #require(Signature(bytes: bytes(Self.neutralSignature)))
    let key = try SampleKeys.first().publicKey
    #expect(!key.verifies(signature, of: Array("small order R".utf8)))
  }
}
