import Manifests
import Testing

struct ModelNameTests {
  @Test(arguments: [
    ("lfm2-2.6b", "lfm2-2.6b"), ("acme/tiny-chat", "acme+tiny-chat"), ("a", "a"), ("0/9", "0+9"),
    ("a.b_c-d", "a.b_c-d"), (String(repeating: "a", count: 64), String(repeating: "a", count: 64)),
    ("json", "json"), ("a.jsonx", "a.jsonx"),
  ])
  func `one or two segments make a name, and the slash is written as a plus on disk`(
    text: String,
    folder: String
  ) throws {
    let name = try ModelName(text)
    #expect(name.text == text)
    #expect(name.folderName == folder)
  }

  @Test(
    arguments: [
      ("", .emptyPart), ("/", .emptyPart), ("a/", .emptyPart), ("/a", .emptyPart),
      ("a/b/c", .tooManySegments), ("A", .badByte(0x41, offset: 0)),
      ("a b", .badByte(0x20, offset: 1)), ("acme/t+c", .badByte(0x2B, offset: 6)),
      ("é", .badByte(0xC3, offset: 0)), ("a\u{301}", .badByte(0xCC, offset: 1)),
      ("a\u{0}", .badByte(0, offset: 1)), (".a", .startsWith(0x2E)), ("-a", .startsWith(0x2D)),
      ("_a", .startsWith(0x5F)), ("a.", .endsWith(0x2E)), ("a-", .endsWith(0x2D)),
      ("..", .startsWith(0x2E)), ("a..b", .doubleDot), ("acme/a..b", .doubleDot),
      ("m.json", .endsWithJSON), ("acme/m.json", .endsWithJSON), ("m.json/a", .endsWithJSON),
      (String(repeating: "a", count: 65), .tooLong(limit: 64)), ("a\\b", .badByte(0x5C, offset: 1)),
      ("a@1", .badByte(0x40, offset: 1)),
    ] as [(String, TextFault)]
  )
  func `any other name is refused with its rule`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.model, text, fault))) { try ModelName(text) }
  }
}
