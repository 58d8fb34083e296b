import StrictJSON
import Testing

/// The canonical JSON of OLPC, which TUF signs.
struct RawCanonicalTests {
  private static let vectors: [(String, String)] = [
    (
      #"{"b":1,"a":[true,false,null,-5,{}],"":"x"}"#,
      "7b22223a2278222c2261223a5b747275652c66616c73652c6e756c6c2c2d352c7b7d5d2c2262223a317d"
    ),
    (
      #"{"s":"q\" b\\ n\n t\t sl\/ \u00e9 \ud83d\ude00 \u0001 \u007f \u2028"}"#,
      "7b2273223a22715c2220625c5c206e0a20740920736c2f20c3a920f09f98802001207f20e280a8227d"
    ),
    (
      #"{"\ud83d\ude00":1,"\uff61":2,"a":3}"#,
      "7b2261223a332c22efbda1223a322c22f09f9880223a317d"
    ),
    (
      #"{ "a" : [ 0 , 9223372036854775807, -9223372036854775808 ] }"#,
      digits(of: #"{"a":[0,9223372036854775807,-9223372036854775808]}"#)
    ),
    (#"[{"z":{"y":"\\","x":"\""}},[]]"#, digits(of: #"[{"z":{"x":"\"","y":"\\"}},[]]"#)),
    ("\"\"", "2222"),
  ]

  @Test(arguments: vectors) func `every value has the one form`(text: String, expected: String)
    throws
  {
    let value = try JSONReader.parse(Array(text.utf8))
    #expect(digits(JSONWriter.rawCanonical(value)) == expected)
  }

  @Test func `control characters stand as they are, in names too`() {
    let value: JSONValue = ["a\nb": "\u{0}\u{1F}\u{7F}"]
    #expect(JSONWriter.rawCanonical(value) == Array("{\"a\nb\":\"\u{0}\u{1F}\u{7F}\"}".utf8))
  }

  @Test func `names that Unicode takes for the same are not the same`() {
    let value: JSONValue = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(JSONWriter.rawCanonical(value) == Array("{\"e\u{301}\":2,\"\u{E9}\":1}".utf8))
  }

}

private func digits(of text: String) -> String { digits(Array(text.utf8)) }

private func digits(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
