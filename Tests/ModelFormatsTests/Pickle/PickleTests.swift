import Manifests
import ModelFormats
import Testing

struct PickleTests {
  private func text(_ text: String) -> [UInt8] {
    [0x8C, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  @Test(
    arguments: [
      ("GLOBAL", Array("cos\nsystem\n(S'id'\ntR.".utf8), "os system"),
      ("INST", Array("(S'id'\nios\nsystem\n.".utf8), "os system"),
      (
        "a stack global",
        [0x80, 4, 0x8C, 2] + Array("os".utf8) + [0x8C, 6] + Array("system".utf8) + [0x93, 0x2E],
        "os system"
      ),
      (
        "a stack global behind a frame and memos",
        [0x80, 4, 0x95, 9, 0, 0, 0, 0, 0, 0, 0, 0x8C, 2] + Array("os".utf8) + [0x94, 0x8C, 6]
          + Array("system".utf8)
          + [0x94, 0x93, 0x2E], "os system"
      ),
      (
        "a stack global from memory",
        [0x80, 4, 0x8C, 2] + Array("os".utf8) + [0x71, 7, 0x30, 0x8C, 6] + Array("system".utf8) + [
          0x71, 8, 0x30,
        ]
          + [0x68, 7, 0x68, 8, 0x93, 0x2E], "os system"
      ),
      (
        "a stack global that can't be told", [0x80, 4, 0x4E, 0x4E, 0x93, 0x2E],
        "a global whose name can't be told"
      ),
      ("a global by number", [0x80, 2, 0x82, 1, 0x2E], "a global by its number in a registry"),
      ("eval", Array("c__builtin__\neval\n.".utf8), "__builtin__ eval"),
      (
        "a name that only begins like an allowed one", Array("ccollections\nOrderedDict2\n.".utf8),
        "collections OrderedDict2"
      ),
      ("a second pickle", [0x80, 2, 0x4E, 0x2E] + Array("cos\nsystem\n.".utf8), "os system"),
    ] as [(String, [UInt8], String)]
  )
  func `what unpickling would call is named`(name: String, bytes: [UInt8], global: String) throws {
    let found = try inspect("m.pkl", bytes)
    #expect(found.problemCode == "unsafeCode")
    guard case .structure(let fault)? = found.problem?.fault else {
      Issue.record("no fault")
      return
    }
    #expect(fault.found == global)
  }

  @Test(
    arguments: [
      [0x80, 2, 0x7D, 0x2E], Array("(dp0\nS'a'\np1\nI1\ns.".utf8),
      [0x80, 4, 0x95, 2, 0, 0, 0, 0, 0, 0, 0, 0x4E, 0x2E],
      Array("ccollections\nOrderedDict\n)R.".utf8),
    ] as [[UInt8]]
  )
  func `a pickle that calls nothing else may be agreed to`(bytes: [UInt8]) throws {
    let found = try inspect("m.pkl", bytes)
    #expect(found.problemCode == nil)
    #expect(found.report.runsCode != nil)
  }

  @Test func `an old file of torch is five pickles and then data`() throws {
    let magic: [UInt8] = [
      0x80, 2, 0x8A, 10, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19, 0x2E,
    ]
    let none: [UInt8] = [0x80, 2, 0x4E, 0x2E]
    let bytes = magic + none + none + none + none + [0xFF, 0xFF, 1, 2]
    #expect(try inspect("m.pth", bytes).problemCode == nil)
    let evil = magic + none + none + [0x80, 2] + Array("cos\nsystem\n.".utf8) + none
    #expect(try inspect("m.pth", evil).problemCode == "unsafeCode")
  }

  @Test func `every cut is refused`() throws {
    let bytes: [UInt8] =
      [0x80, 4, 0x8C, 5] + Array("hello".utf8) + [
        0x94, 0x8A, 2, 1, 1, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0x86, 0x2E,
      ]
    #expect(try inspect("m.pkl", bytes).problemCode == nil)
    for count in 0..<bytes.count {
      #expect(
        try inspect("m.pkl", Array(bytes.prefix(count))).problemCode != nil,
        "cut at \(count)"
      )
    }
  }

  @Test func `what is no operation is refused`() throws {
    #expect(try inspect("m.pkl", [0x80, 2, 0xFF, 0x2E]).problemCode == "badEncoding")
  }
}
