import Signatures
import Testing
import Vectors

struct PublicKeyPointTests {
  /// The eight points whose order divides eight, then two more spellings of which x is 0 and its sign 1.
  static let smallOrder = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  ]

  @Test(arguments: smallOrder)
  func `a key of small order is refused`(key: String) {
    #expect(throws: KeyError.smallOrder) { try PublicKey(bytes: bytes(key)) }
    #expect(throws: KeyError.smallOrder) { try PublicKey(text: key) }
  }

  /// The 19 numbers from the prime 2^255 - 19 up, each with both signs.
  static let notCanonical = [0x7f, 0xff].flatMap { (last: UInt8) in
    (0xed...0xff).map { (first: UInt8) in
      [first] + [UInt8](repeating: 0xff, count: 30) + [last]
    }
  }

  @Test func `a key with y at or above the prime is refused`() {
    #expect(Self.notCanonical.count == 38)
    for key in Self.notCanonical {
      #expect(throws: KeyError.notCanonical) { try PublicKey(bytes: key) }
    }
  }

  @Test(arguments: [2, 7] as [UInt8])
  func `a number that is no point of the curve is refused`(y: UInt8) {
    #expect(throws: KeyError.notOnCurve) {
      try PublicKey(bytes: [y] + [UInt8](repeating: 0, count: 31))
    }
  }

  @Test(arguments: [3, 4] as [UInt8])
  func `a small number that is a point of the curve is a key`(y: UInt8) throws {
    let key = [y] + [UInt8](repeating: 0, count: 31)
    #expect(try PublicKey(bytes: key).bytes == key)
  }

  @Test(arguments: [0, 31, 33, 64])
  func `a key of another length is refused`(count: Int) {
    #expect(throws: KeyError.wrongLength(expected: 32, found: count)) {
      try PublicKey(bytes: [UInt8](repeating: 3, count: count))
    }
  }
}
