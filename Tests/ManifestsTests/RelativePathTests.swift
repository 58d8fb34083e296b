import Manifests
import Testing

struct RelativePathTests {
  static let longName = String(repeating: "n", count: 255)

  @Test(arguments: [
    "a", "LFM2-2.6B-Q4_K_M.gguf", "dir/sub/file.bin", "a b", "a._+@=,()[] -b", "a-", "(x)", "_x",
    "console.txt", "com10", "com", "nulls", "a/b.c/d", "auxiliary/x", longName,
    longName + "/" + longName + "/" + longName,
    Array(repeating: "d", count: 32).joined(separator: "/"),
  ])
  func `letters, digits and a few marks make a path`(text: String) throws {
    #expect(try RelativePath(text).text == text)
  }

  @Test(
    arguments: [
      ("", .empty), ("/a", .emptyPart), ("a/", .emptyPart), ("a//b", .emptyPart),
      (".", .startsWith(0x2E)), ("..", .startsWith(0x2E)), ("../a", .startsWith(0x2E)),
      ("a/../b", .startsWith(0x2E)), ("a/./b", .startsWith(0x2E)), (".hidden", .startsWith(0x2E)),
      ("-rf", .startsWith(0x2D)), (" a", .startsWith(0x20)), ("a ", .endsWith(0x20)),
      ("a.", .endsWith(0x2E)), ("a./b", .endsWith(0x2E)), ("a\\b", .badByte(0x5C, offset: 1)),
      ("C:/a", .badByte(0x3A, offset: 1)), ("a\u{0}b", .badByte(0, offset: 1)),
      ("a\nb", .badByte(0x0A, offset: 1)), ("a/b\u{7F}", .badByte(0x7F, offset: 3)),
      ("x/é", .badByte(0xC3, offset: 2)), ("x/\u{301}y", .badByte(0xCC, offset: 2)),
      ("\u{212A}", .badByte(0xE2, offset: 0)), ("a*", .badByte(0x2A, offset: 1)),
      ("a?", .badByte(0x3F, offset: 1)), ("a\"", .badByte(0x22, offset: 1)),
      ("a~", .badByte(0x7E, offset: 1)), ("a#b", .badByte(0x23, offset: 1)),
      ("a%2e", .badByte(0x25, offset: 1)), ("{name}", .badByte(0x7B, offset: 0)),
      ("NUL", .deviceName("NUL")), ("nul.txt", .deviceName("nul")), ("a/Con", .deviceName("Con")),
      ("aux.tar.gz", .deviceName("aux")), ("prn .x", .deviceName("prn")),
      ("com1", .deviceName("com1")), ("LPT9.x/y", .deviceName("LPT9")),
      ("com0", .deviceName("com0")),
      (longName + "n", .tooLong(limit: 255)),
      (Array(repeating: "d", count: 33).joined(separator: "/"), .tooManyComponents(limit: 32)),
      (Array(repeating: longName, count: 5).joined(separator: "/"), .tooLong(limit: 1024)),
    ] as [(String, TextFault)]
  )
  func `any other path is refused with its rule`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.path, text, fault))) { try RelativePath(text) }
  }

  @Test func `a path knows its parts`() throws {
    let path = try RelativePath("a/b.c/Model.tar.GZ")
    #expect(path.components == ["a", "b.c", "Model.tar.GZ"])
    #expect(path.fileName == "Model.tar.GZ")
    #expect(path.fileExtension == "gz")
    #expect(try RelativePath("a.b/LICENSE").fileExtension == nil)
  }

  @Test func `paths are ordered by their bytes`() throws {
    let sorted = ["A", "B/x", "a", "a b", "a/b", "a0"]
    let paths = try sorted.shuffled().map { try RelativePath($0) }
    #expect(paths.sorted().map(\.text) == sorted)
  }
}

struct PathSetTests {
  @Test(arguments: [
    ["a", "b"], ["d/a", "d/b"], ["a", "a.b"], ["a/b/c", "a/b/d", "a/e"], ["ab", "a/b"],
  ])
  func `paths that lie beside each other are accepted`(texts: [String]) throws {
    var paths = PathSet()
    for text in texts { try paths.insert(RelativePath(text)) }
  }

  @Test(arguments: [
    (["a", "a"], "a", "a"), (["a", "A"], "a", "A"),
    (["x/README", "x/readme"], "x/README", "x/readme"),
    (["a", "a/b"], "a", "a/b"), (["a/b", "a"], "a", "a"), (["A/b", "a"], "A", "a"),
    (["a/b/c", "a/B"], "a/b", "a/B"), (["D/x", "d/y"], "D", "d/y"),
    (["a/b/c", "a/b"], "a/b", "a/b"),
  ])
  func `paths that some system takes for the same are refused`(
    texts: [String],
    there: String,
    added: String
  ) {
    #expect(throws: ManifestError.release(.pathsCollide(there, added))) {
      var paths = PathSet()
      for text in texts { try paths.insert(RelativePath(text)) }
    }
  }
}
