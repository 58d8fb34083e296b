import Signatures
import SystemFiles
import Testing

struct PassphraseTests {
  @Test(arguments: [
    ("secret", "secret"),
    ("secret\n", "secret"),
    ("secret\n\n", "secret\n"),
    ("sec\rret\n", "sec\rret"),
    (" secret \n", " secret "),
    ("two\nlines\n", "two\nlines"),
    ("pässwörd 🔑\n", "pässwörd 🔑"),
  ])
  func `one newline at the end of a file is not part of the passphrase`(
    contents: String,
    expected: String
  ) throws {
    var contents = Array(contents.utf8)
    let passphrase = try Passphrase(fileContents: &contents)
    #expect(contents.isEmpty)
    #expect(passphrase.isEqual(to: try Passphrase(expected)))
    #expect(!passphrase.isEqual(to: try Passphrase(expected + "x")))
  }

  @Test(arguments: [
    "secret\r\n", "secret\r", "secret\r\n\r\n", "secret\n\r", "two\r\nlines\n", "\r\n", "\r",
  ])
  func `the line end of Windows is refused with the reason`(contents: String) {
    var (file, typed) = (Array(contents.utf8), Array(contents.utf8))
    #expect(throws: KeyError.carriageReturn) { _ = try Passphrase(fileContents: &file) }
    #expect(throws: KeyError.carriageReturn) { _ = try Passphrase(wiping: &typed) }
    #expect(file.isEmpty && typed.isEmpty)
    #expect(
      KeyError.carriageReturn.description
        == "the passphrase has a carriage return at a line end (CR LF); save it with plain line "
        + "ends (LF) or none"
    )
  }

  @Test(arguments: ["", "\n"])
  func `an empty passphrase is refused`(contents: String) {
    var contents = Array(contents.utf8)
    #expect(throws: KeyError.emptyPassphrase) { _ = try Passphrase(fileContents: &contents) }
    #expect(contents.isEmpty)
  }

  @Test(
    arguments: [
      [0xef, 0xbb, 0xbf, 0x78], [0xff, 0xfe, 0x78, 0x00], [0xfe, 0xff, 0x00, 0x78],
      [0xef, 0xbb, 0xbf],
    ] as [[UInt8]]
  )
  func `a byte order mark is refused with the reason`(contents: [UInt8]) {
    var (file, typed) = (contents, contents)
    #expect(throws: KeyError.byteOrderMark) { _ = try Passphrase(fileContents: &file) }
    #expect(throws: KeyError.byteOrderMark) { _ = try Passphrase(wiping: &typed) }
    #expect(typed.isEmpty)
    #expect(
      KeyError.byteOrderMark.description
        == "the text begins with a byte order mark (BOM); save it without one"
    )
  }

  @Test func `a passphrase has at most 4096 bytes`() throws {
    var longest = [UInt8](repeating: 0x78, count: 4096)
    _ = try Passphrase(wiping: &longest)
    var longer = [UInt8](repeating: 0x78, count: 4097)
    #expect(throws: KeyError.tooLong(limit: 4096)) { _ = try Passphrase(wiping: &longer) }
  }

  @Test func `what was typed is kept as it is, newline included`() throws {
    #expect(try Passphrase("x\n").isEqual(to: try Passphrase("x\n")))
    #expect(!(try Passphrase("x\n").isEqual(to: try Passphrase("x"))))
  }

  @Test(arguments: ["secret\n", String(repeating: "x", count: 4096) + "\n"])
  func `a passphrase file is read to its end`(contents: String) throws {
    let folder = try OwnFolder()
    try replaceFile(at: folder.path("pass"), with: Array(contents.utf8), mode: 0o600)
    let passphrase = try Passphrase(reading: OpenFile(reading: folder.path("pass")))
    var expected = Array(contents.utf8)
    #expect(passphrase.isEqual(to: try Passphrase(fileContents: &expected)))
  }

  @Test func `a passphrase file without end is refused`() throws {
    #expect(throws: KeyError.tooLong(limit: 4097)) {
      _ = try Passphrase(reading: OpenFile(reading: "/dev/zero"))
    }
  }
}
