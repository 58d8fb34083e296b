import StrictJSON
import Testing

struct JSONWriterTests {
  @Test(
    arguments: [
      (.null, "null"),
      (true, "true"),
      (false, "false"),
      (0, "0"),
      (-5, "-5"),
      (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"),
      ("", #""""#),
      ([], "[]"),
      ([:], "{}"),
      ([1, [2, []], [:]], "[1,[2,[]],{}]"),
      (
        ["b": 1, "a": [true, false, .null, -5, [:]], "": "x"],
        #"{"":"x","a":[true,false,null,-5,{}],"b":1}"#
      ),
      (["b": 1, "B": 2, "aa": 3, "a": 4], #"{"B":2,"a":4,"aa":3,"b":1}"#),
      (["\u{1F600}": 1, "\u{FF61}": 2, "a": 3], "{\"a\":3,\"\u{FF61}\":2,\"\u{1F600}\":1}"),
      (
        ["z": ["y": 1, "x": 2], "a": [["d": 1, "c": 2]]],
        #"{"a":[{"c":2,"d":1}],"z":{"x":2,"y":1}}"#
      ),
      ("q\" b\\ s/", #""q\" b\\ s/""#),
      ("\n\r\t\u{8}\u{C}", #""\u000a\u000d\u0009\u0008\u000c""#),
      ("\u{0}\u{1}\u{1B}\u{1F} \u{7F}", "\"\\u0000\\u0001\\u001b\\u001f \u{7F}\""),
      ("é e\u{301} \u{2028} 😀", "\"é e\u{301} \u{2028} 😀\""),
      (["a\"\n": 1], #"{"a\"\u000a":1}"#),
    ] as [(JSONValue, String)]
  )
  func `the canonical form is fixed to the byte`(value: JSONValue, expected: String) {
    #expect(JSONWriter.canonical(value) == Array(expected.utf8))
  }

  @Test(arguments: 0...0x1F as ClosedRange<UInt8>)
  func `each control character is escaped when it stands alone`(byte: UInt8) {
    let digits = (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    let value = JSONValue.string(String(Unicode.Scalar(byte)))
    #expect(text(JSONWriter.canonical(value)) == "\"\\u00\(digits)\"")
  }

  @Test func `the compact form keeps the order of members`() {
    let value: JSONValue = ["b": 1, "a": [["z": 1, "y": "\n"]]]
    #expect(text(JSONWriter.compact(value)) == #"{"b":1,"a":[{"z":1,"y":"\u000a"}]}"#)
  }

  @Test func `the pretty form keeps the order of members and indents by two`() {
    let value: JSONValue = [
      "payload": "e30=", "signatures": [["keyid": "k", "sig": "s"]], "empty": [[], [:]],
      "numbers": [1, 2],
    ]
    let expected = #"""
      {
        "payload": "e30=",
        "signatures": [
          {
            "keyid": "k",
            "sig": "s"
          }
        ],
        "empty": [
          [],
          {}
        ],
        "numbers": [
          1,
          2
        ]
      }

      """#
    #expect(text(JSONWriter.pretty(value)) == expected)
    #expect(text(JSONWriter.pretty(1)) == "1\n")
  }

  @Test func `all orders of members have one canonical form`() throws {
    let one = try parse(#"{ "a": 1, "é": {"x": "\u00e9", "w": "\/"}, "c": [] }"#)
    let other = try parse(#"{"c":[],"é":{"w":"/","x":"é"},"a":1}"#)
    #expect(JSONWriter.canonical(one) == JSONWriter.canonical(other))
    #expect(text(JSONWriter.canonical(one)) == #"{"a":1,"c":[],"é":{"w":"/","x":"é"}}"#)
  }
}
