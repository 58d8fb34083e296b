import Digests
import Testing

@Suite struct SHA512DigestTests {
  private static let abc =
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"

  @Test func `the digest of abc is the one of FIPS 180-4`() {
    #expect(SHA512Digest(of: Array("abc".utf8)).hex == Self.abc)
    #expect(SHA512Digest(of: []).description.hasPrefix("cf83e1357eefb8bdf1542850d66d8007"))
  }

  @Test func `digits are read back`() throws {
    #expect(SHA512Digest(hex: Self.abc) == SHA512Digest(of: Array("abc".utf8)))
  }

  @Test(arguments: [
    "", String(abc.dropLast()), abc + "0", abc.uppercased(), "g" + abc.dropFirst(),
    String(abc.prefix(64)),
  ])
  func `anything but 128 lower-case digits is refused`(text: String) {
    #expect(SHA512Digest(hex: text) == nil)
  }
}
