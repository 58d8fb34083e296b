import Signatures
import Testing
import Vectors

/// The forms in which signers print a signature.
struct PrintedSignatureTests {
  private let signature = (0..<64).map { UInt8($0) }

  private func read(_ text: String) throws(SignatureFault) -> [UInt8] {
    try Signature(printed: Array(text.utf8)).bytes
  }

  private var hex: String {
    signature.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }

  @Test func `64 bytes are a signature, whatever they look like`() throws {
    #expect(try Signature(printed: signature).bytes == signature)
    let text = [UInt8](repeating: UInt8(ascii: "A"), count: 64)
    #expect(try Signature(printed: text).bytes == text)
  }

  @Test func `base64 and digits are read, wrapped as programs wrap them`() throws {
    let base64 = Base64.encode(signature)
    #expect(try read(base64) == signature)
    #expect(try read(base64 + "\n") == signature)
    #expect(try read("\(base64.prefix(64))\n\(base64.dropFirst(64))\r\n") == signature)
    #expect(
      try read(base64.map { $0 == "/" ? "_" : $0 == "+" ? "-" : $0 }.map(String.init).joined())
        == signature
    )
    #expect(try read(hex) == signature)
    #expect(try read(hex.uppercased() + "\n") == signature)
    #expect(try read("\(hex.prefix(60))\n\(hex.dropFirst(60))\n") == signature)
  }

  private func minisign(_ method: String, _ count: Int = 74) -> String {
    let bytes = Array(method.utf8) + [UInt8](repeating: 7, count: 8) + signature
    return
      "untrusted comment: by hand\n\(Base64.encode(Array(bytes.prefix(count))))\ntrusted comment: x\nAAAA\n"
  }

  @Test func `a file of signify, or of minisign over the bytes, holds one`() throws {
    #expect(try read(minisign("Ed")) == signature)
    #expect(throws: SignatureFault.prehashed) { try read(minisign("ED")) }
    #expect(throws: SignatureFault.unrecognized(count: minisign("XX").utf8.count)) {
      try read(minisign("XX"))
    }
    #expect(throws: SignatureFault.self) { try read(minisign("Ed", 73)) }
    #expect(throws: SignatureFault.self) { try read("untrusted comment: nothing else") }
  }

  @Test(arguments: [0, 1, 63, 65, 128])
  func `another count of bytes is none`(count: Int) {
    let bytes = [UInt8](repeating: 0xff, count: count)
    #expect(throws: count == 0 ? SignatureFault.empty : .unrecognized(count: count)) {
      try Signature(printed: bytes)
    }
  }

  @Test func `texts of another form are none`() {
    #expect(throws: SignatureFault.empty) { try read(" \n\t") }
    #expect(throws: SignatureFault.openSSH) { try read("-----BEGIN SSH SIGNATURE-----\nU1NI\n") }
    #expect(throws: SignatureFault.unrecognized(count: 126)) { try read(String(hex.dropLast(2))) }
    #expect(throws: SignatureFault.unrecognized(count: 128)) { try read("g" + hex.dropFirst()) }
    let base64 = Base64.encode(signature)
    #expect(throws: SignatureFault.unrecognized(count: 87)) { try read(String(base64.dropLast())) }
    #expect(throws: SignatureFault.unrecognized(count: 90)) { try read("x\n" + base64) }
    let longer = Base64.encode(signature + [0, 0, 0])
    #expect(throws: SignatureFault.unrecognized(count: longer.utf8.count)) { try read(longer) }
  }
}
