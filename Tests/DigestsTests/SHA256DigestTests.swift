import Digests
import Testing

@Suite struct SHA256DigestTests {
  private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test func `the digest of abc is the one of FIPS 180-4`() {
    #expect(SHA256Digest(of: Array("abc".utf8)).hex == Self.abc)
    #expect(SHA256Digest.ofNothing.hex.hasPrefix("e3b0c44298fc1c149afbf4c8996fb924"))
  }

  @Test func `digits are read back`() throws {
    #expect(SHA256Digest(hex: Self.abc) == SHA256Digest(of: Array("abc".utf8)))
  }

  @Test(arguments: [
    "", String(abc.dropLast()), abc + "0", abc.uppercased(), "sha256:" + abc.dropFirst(7),
    "g" + abc.dropFirst(), " " + abc.dropFirst(), String(repeating: "é", count: 32),
  ])
  func `anything but 64 lower-case digits is refused`(text: String) {
    #expect(SHA256Digest(hex: text) == nil)
  }

  @Test(arguments: [0, 31, 33]) func `anything but 32 bytes is refused`(count: Int) {
    #expect(SHA256Digest(bytes: [UInt8](repeating: 0, count: count)) == nil)
  }
}
