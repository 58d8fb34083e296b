import StrictJSON
import Testing

struct RefusedDocumentTests {
  typealias Problem = JSONSyntaxError.Problem

  private func expectRefusal(_ bytes: [UInt8], _ offset: Int, _ problem: Problem) {
    #expect(throws: JSONSyntaxError(offset: offset, problem: problem)) {
      try JSONReader.parse(bytes)
    }
  }

  @Test(
    arguments: [
      (#"{"a":1,}"#, 7, .unexpectedByte(UInt8(ascii: "}"))),
      ("[1,]", 3, .unexpectedByte(UInt8(ascii: "]"))),
      ("[,1]", 1, .unexpectedByte(UInt8(ascii: ","))),
      (#"{"a":1 "b":2}"#, 7, .unexpectedByte(UInt8(ascii: "\""))),
      ("{a:1}", 1, .unexpectedByte(UInt8(ascii: "a"))),
      ("{'a':1}", 1, .unexpectedByte(UInt8(ascii: "'"))),
      (#"{"a":1}x"#, 7, .trailingBytes),
      (#"{"a":1}{"a":1}"#, 7, .trailingBytes),
      ("", 0, .truncated),
      ("nul", 3, .truncated),
      ("tru", 3, .truncated),
      ("NaN", 0, .unexpectedByte(UInt8(ascii: "N"))),
    ] as [(String, Int, Problem)]
  )
  func `what RFC 8259 doesn't allow is refused`(text: String, offset: Int, problem: Problem) {
    expectRefusal(Array(text.utf8), offset, problem)
  }

  @Test(
    arguments: [
      ("01", 0, .notAnInteger),
      ("+1", 0, .unexpectedByte(UInt8(ascii: "+"))),
      ("-", 0, .notAnInteger),
      ("-0", 0, .notAnInteger),
      ("1.0", 0, .notAnInteger),
      ("1e3", 0, .notAnInteger),
      ("1E+2", 0, .notAnInteger),
      (".5", 0, .unexpectedByte(UInt8(ascii: "."))),
      ("0x1", 0, .notAnInteger),
      ("9223372036854775808", 0, .integerOutOfRange),
      ("-9223372036854775809", 0, .integerOutOfRange),
      ("18446744073709551617", 0, .integerOutOfRange),
      ("100000000000000000000000000000000000000000", 0, .integerOutOfRange),
      ("[0, 00]", 4, .notAnInteger),
      ("[-01]", 1, .notAnInteger),
      ("[1-2]", 1, .notAnInteger),
      ("[-a]", 1, .notAnInteger),
      ("[1_0]", 1, .notAnInteger),
    ] as [(String, Int, Problem)]
  )
  func `a number in another spelling or out of range is refused`(
    text: String,
    offset: Int,
    problem: Problem
  ) {
    expectRefusal(Array(text.utf8), offset, problem)
  }

  @Test(
    arguments: [
      (#""\x""#, 1, .badEscape),
      (#""\u12""#, 1, .badEscape),
      (#""\u+123""#, 1, .badEscape),
      (#""\u 123""#, 1, .badEscape),
      (#""\U0041""#, 1, .badEscape),
      (#""\ud800""#, 1, .unpairedSurrogate),
      (#""\udc00\ud800""#, 1, .unpairedSurrogate),
      (#""ab\ud800\ud800""#, 3, .unpairedSurrogate),
      (#""\ud800\n""#, 1, .unpairedSurrogate),
      (#""\ud800\u0041""#, 1, .unpairedSurrogate),
      (#""\ud800\u00g1""#, 7, .badEscape),
      (#""\u0000""#, 1, .nullCharacter),
      (#"{"a\u0000":1}"#, 3, .nullCharacter),
      ("\"a\tb\"", 2, .controlCharacter(9)),
      ("\"a\nb\"", 2, .controlCharacter(10)),
      ("\"a\u{0}\"", 2, .controlCharacter(0)),
      ("\"\u{1F}\"", 1, .controlCharacter(0x1F)),
      (#""a"#, 2, .truncated),
      (#"""#, 1, .truncated),
      (#""\"#, 2, .truncated),
      (#""\u00"#, 5, .truncated),
      (#""\ud83d\u"#, 9, .truncated),
      (#""\ud83d\"#, 1, .unpairedSurrogate),
    ] as [(String, Int, Problem)]
  )
  func `a string with a bad escape or a control character is refused`(
    text: String,
    offset: Int,
    problem: Problem
  ) {
    expectRefusal(Array(text.utf8), offset, problem)
  }

  @Test(
    arguments: [
      ([0xC0, 0x80], 1),
      ([0xED, 0xA0, 0x80], 1),
      ([0xFF], 1),
      ([0x61, 0x80], 2),
      ([0xC3, 0xA9, 0xE2, 0x82], 3),
      ([0xF4, 0x90, 0x80, 0x80], 1),
      ([0xF0, 0x8F, 0xBF, 0xBF], 1),
      ([0x5C, 0x6E, 0xE9, 0x5C, 0x6E], 3),
    ] as [([UInt8], Int)]
  )
  func `a string that isn't UTF-8 is refused at its first ill-formed sequence`(
    bytes: [UInt8],
    offset: Int
  ) {
    expectRefusal([0x22] + bytes + [0x22], offset, .invalidUTF8)
    expectRefusal([0x7B, 0x22] + bytes + [0x22, 0x3A, 0x31, 0x7D], offset + 1, .invalidUTF8)
  }

  @Test(
    arguments: [
      (#"{"a":1,"a":1}"#, 7, "a"),
      (#"{"\u0061":1,"a":2}"#, 12, "a"),
      (#"{"é":1,"e\u0301":2}"#, 8, "e\u{301}"),
      (#"{"K":1,"b":2,"\u212a":3}"#, 13, "\u{212A}"),
      (#"{"\u037e":1,";":2}"#, 12, ";"),
      (#"[{},{"x":{"":1,"":2}}]"#, 15, ""),
    ] as [(String, Int, String)]
  )
  func `a second member of one name or of its Unicode twin is refused`(
    text: String,
    offset: Int,
    name: String
  ) {
    expectRefusal(Array(text.utf8), offset, .duplicateMember(name))
  }

  @Test func `30 combining marks in a row may stand in a name and 31 may not`() {
    let name = "é" + String(repeating: "\u{301}\u{F73}\u{20DD}", count: 10)
    #expect(throws: Never.self) { try parse("{\"\(name)a\(name)\":1}") }
    let problem = Problem.tooManyMarks(limit: 30)
    expectRefusal(Array("{\"a\":1,\"\(name)\u{301}\":2}".utf8), 7, problem)
  }

  @Test(arguments: [1, 8, 9, 1000])
  func `a duplicate is found however many members there are`(count: Int) {
    let members = (0..<count).map { "\"\($0)\":0" }.joined(separator: ",")
    let text = "{\(members),\"0\":0}"
    let offset = text.utf8.count - 6
    expectRefusal(Array(text.utf8), offset, .duplicateMember("0"))
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark),
      ([0x7B, 0x00, 0x7D, 0x00], .notUTF8),
      ([0x00, 0x7B, 0x00, 0x7D], .notUTF8),
      ([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], .notUTF8),
      ([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D], .notUTF8),
      ([0x7B, 0x00, 0x00, 0x00, 0x7D, 0x00, 0x00, 0x00], .notUTF8),
      ([0x00, 0x00, 0x00, 0x7B, 0x00, 0x00, 0x00, 0x7D], .notUTF8),
      ([0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0x7B], .notUTF8),
    ] as [([UInt8], Problem)]
  )
  func `another encoding than plain UTF-8 is refused`(bytes: [UInt8], problem: Problem) {
    expectRefusal(bytes, 0, problem)
  }

  @Test func `every prefix of a document is refused`() throws {
    let bytes = Array(sample.utf8)
    #expect(try JSONReader.parse(bytes).kind == .object)
    for count in 0..<bytes.count {
      #expect(throws: JSONSyntaxError.self) { try JSONReader.parse(Array(bytes[..<count])) }
    }
  }

  @Test func `every prefix that ends in ASCII ends too early and nothing else`() {
    let bytes = Array(#"{"a": ["x\n", {"b": true, "c": null}]}"#.utf8)
    for count in 0..<bytes.count { expectRefusal(Array(bytes[..<count]), count, .truncated) }
  }
}
