import StrictJSON
import Testing

struct AcceptedDocumentTests {
  @Test(
    arguments: [
      ("{}", [:]),
      ("[]", []),
      ("0", 0),
      ("-1", -1),
      (#""x""#, "x"),
      ("true", true),
      ("false", false),
      ("null", .null),
      ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      (#""\u00e9\ud83d\ude00\/\b\f\n\r\t""#, "é😀/\u{8}\u{C}\n\r\t"),
      (#""\u00E9\uD83D\uDE00\"\\""#, #"é😀"\"#),
      (#""\u0001\u007f\uffff\ud800\udc00\udbff\udfff""#, "\u{1}\u{7F}\u{FFFF}\u{10000}\u{10FFFF}"),
      ("\"\u{7F}\u{2028}\u{FEFF}\"", "\u{7F}\u{2028}\u{FEFF}"),
      (#""""#, ""),
      (" \t\r\n[ 1 ,\n{ \"a\" :\t2 } ]\r\n ", [1, ["a": 2]]),
      (#"{"b":1,"a":2,"":3}"#, ["a": 2, "b": 1, "": 3]),
      (#"[{"a":1},{"a":1}]"#, [["a": 1], ["a": 1]]),
      (#"{"a":{"a":{"a":[]}}}"#, ["a": ["a": ["a": []]]]),
      (#"{"A":1,"a":2,"é":3,"E\u0301":4}"#, ["A": 1, "a": 2, "é": 3, "E\u{301}": 4]),
    ] as [(String, JSONValue)]
  )
  func `an unambiguous document is read as what it says`(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test func `members keep their order`() throws {
    let value = try parse(#"{"z":1,"a":2,"m":3}"#)
    guard case .object(let object) = value else { throw WrongKind() }
    #expect(object.members.map(\.name) == ["z", "a", "m"])
  }

  @Test func `escaped and plain text give the same bytes, not the same normal form`() throws {
    #expect(try parse(#""\u00e9""#) == parse("\"\u{E9}\""))
    #expect(try parse(#""\u00e9""#) != parse("\"e\u{301}\""))
  }

  private struct WrongKind: Error {}
}
