import StrictJSON
import Testing

struct ErrorTextTests {
  @Test(
    arguments: [
      (.unexpectedByte(UInt8(ascii: "}")), "unexpected `}` at byte 7"),
      (.unexpectedByte(0), "unexpected byte 0x00 at byte 7"),
      (.unexpectedByte(0xE2), "unexpected byte 0xe2 at byte 7"),
      (.truncated, "unexpected end at byte 7"),
      (.trailingBytes, "something follows the document at byte 7"),
      (.duplicateMember("a"), #"second member named "a" at byte 7"#),
      (
        .duplicateMember("\u{1B}[2J\u{202E}😀\"\\"),
        #"second member named "\u001b[2J\u202e\ud83d\ude00\"\\" at byte 7"#
      ),
      (.tooManyMarks(limit: 30), "name with more than 30 combining marks in a row at byte 7"),
      (.notAnInteger, "number is not a plain integer at byte 7"),
      (.integerOutOfRange, "integer needs more than 64 bits at byte 7"),
      (.badEscape, "unknown escape in a string at byte 7"),
      (.unpairedSurrogate, "half a surrogate pair in a string at byte 7"),
      (.controlCharacter(10), "unescaped control character byte 0x0a in a string at byte 7"),
      (.nullCharacter, "null character in a string at byte 7"),
      (.invalidUTF8, "string is not UTF-8 at byte 7"),
      (.byteOrderMark, "byte order mark before the document at byte 7"),
      (.notUTF8, "document is UTF-16 or UTF-32, not UTF-8 at byte 7"),
      (.tooDeep(limit: 32), "more than 32 levels at byte 7"),
      (.tooLarge(limit: 5), "more than 5 bytes at byte 7"),
    ] as [(JSONSyntaxError.Problem, String)]
  )
  func `a syntax error says what and where`(problem: JSONSyntaxError.Problem, text: String) {
    #expect(JSONSyntaxError(offset: 7, problem: problem).description == text)
  }

  @Test(
    arguments: [
      ("a.b", .missing, "a.b is missing"),
      (
        "", .wrongType(expected: .object, found: .array),
        "the document must be an object, not an array"
      ),
      (
        "a", .wrongType(expected: .integer, found: .boolean),
        "a must be an integer, not true or false"
      ),
      ("a", .wrongType(expected: .string, found: .null), "a must be a string, not null"),
      ("a", .outOfRange(-3, allowed: 0...9), "a must be from 0 to 9, not -3"),
    ] as [(String, JSONShapeError.Problem, String)]
  )
  func `a shape error says what and where`(
    path: String,
    problem: JSONShapeError.Problem,
    text: String
  ) {
    #expect(JSONShapeError(path: path, problem: problem).description == text)
  }

  @Test(arguments: [
    ("a_B-9", "a_B-9"),
    ("", #"[""]"#),
    ("a.b", #"["a.b"]"#),
    ("a\"]\n", #"["a\"]\u000a"]"#),
    ("é", #"["\u00e9"]"#),
    (String(repeating: "x", count: 65), "[\"" + String(repeating: "x", count: 65) + "\"]"),
    (
      String(repeating: "é", count: 300),
      "[\"" + String(repeating: "\\u00e9", count: 256) + "...\"]"
    ),
  ])
  func `a path is printable whatever the names are`(name: String, path: String) throws {
    let members = try JSONMembers<JSONShapeError>(document: [:])
    #expect(members.path(of: name) == path)
    #expect(members.path == "")
  }
}
