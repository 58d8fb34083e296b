import Manifests
import ModelFormats
import Testing

struct ZipTests {
  private static let entries = [
    ZipFixture.Entry("a/data.bin", [1, 2, 3]), ZipFixture.Entry("a/text", "hello"),
  ]

  private func code(_ change: (inout ZipFixture) -> Void) throws -> String? {
    var fixture = ZipFixture(Self.entries)
    change(&fixture)
    return try inspect("m.zip", fixture.bytes).problemCode
  }

  @Test func `a right archive has no fault`() throws {
    #expect(try code { _ in } == nil)
    #expect(try code { $0.hasWideRecord = true } == nil)
    #expect(try code { $0.entries.append(ZipFixture.Entry("folder/")) } == nil)
  }

  @Test(
    arguments: [
      ("..", "a/../../b"), ("absolute", "/etc/passwd"), ("backslash", "a\\b"), ("zero", "a\0b"),
      ("empty part", "a//b"),
      ("drive", "C:/x"), ("dot", "./a"), ("line", "a\nb"),
    ]
  )
  func `a name that leaves the folder is refused`(name: String, path: String) throws {
    #expect(try code { $0.entries[0].name = Array(path.utf8) } == "externalPathUnsafe")
  }

  private static let broken: [ChangedFixture<ZipFixture, String>] = [
    ChangedFixture("the same name twice", "duplicateName") {
      $0.entries[1].name = $0.entries[0].name
    },
    ChangedFixture("another name in the header", "badOffset") {
      $0.entries[1].localName = Array("b/text".utf8)
    },
    ChangedFixture("two entries of one header", "duplicateName") { fixture in
      fixture.entries.append(ZipFixture.Entry("a/more", "hello"))
      fixture.entries[2].name = Array("a/text".utf8)
      fixture.entries[2].header = 43
    },
    ChangedFixture("a header that is none", "badMagic") { $0.entries[1].header = 3 },
    ChangedFixture("a header beyond the directory", "badOffset") { $0.entries[1].header = 100_000 },
    ChangedFixture("stored with another size", "badShape") { $0.entries[0].size = 4 },
    ChangedFixture("packed beyond all ratio", "badShape") {
      $0.entries[0].method = 8; $0.entries[0].size = 100_000
    },
    ChangedFixture("a link", "externalPathUnsafe") { $0.entries[0].mode = 0o120777 },
    ChangedFixture("a 64-bit record that says otherwise", "badOffset") {
      $0.hasWideRecord = true; $0.wideCount = 3
    },
    ChangedFixture("no entry at all", "formatMismatch") { $0.entries = [] },
  ]

  @Test(arguments: broken)
  func `an archive that two readers can read differently is refused`(
    changed: ChangedFixture<ZipFixture, String>
  ) throws {
    #expect(try code(changed.change) == changed.outcome)
  }

  @Test func `bytes that two files share are refused`() throws {
    // Inside the bytes of the first file stands the header of the second.
    let inner = ZipFixture([ZipFixture.Entry("in", "x")]).bytes.prefix(33)
    var fixture = ZipFixture([ZipFixture.Entry("out", Array(inner)), ZipFixture.Entry("in", "x")])
    fixture.entries[1].header = 33
    #expect(try inspect("m.zip", fixture.bytes).problemCode == "badOffset")
  }

  @Test func `every cut is refused, and so are bytes behind`() throws {
    let bytes = ZipFixture(Self.entries).bytes
    for count in 4..<bytes.count {
      #expect(
        try inspect("m.zip", Array(bytes.prefix(count))).problemCode != nil,
        "cut at \(count)"
      )
    }
    #expect(try inspect("m.zip", Array(bytes.dropLast())).problemCode == "truncated")
    #expect(try inspect("m.zip", bytes + [0]).problemCode == "trailingBytes")
    #expect(try inspect("m.zip", [0x50, 0x4B, 3, 4] + bytes).problemCode == "badOffset")
  }

  @Test func `two ends of an archive are refused`() throws {
    // The comment of the first end is a second end.
    var bytes = ZipFixture(Self.entries).bytes
    let end = Array(bytes.suffix(22))
    bytes[bytes.count - 2] = 22
    #expect(try inspect("m.zip", bytes + end).problemCode == "duplicateKey")
  }

  @Test(arguments: [
    ("a/x.pkl", "?", true), ("a/model.pt", "?", true), ("a/x", "\u{1}", false),
    ("a/text", "hello", false),
  ])
  func `a pickle inside needs a person's agreement`(
    name: String,
    content: String,
    isPickle: Bool
  ) throws {
    let found = try inspect("m.task", ZipFixture([ZipFixture.Entry(name, content)]).bytes)
    #expect(found.problemCode == nil)
    #expect((found.report.runsCode != nil) == isPickle)
  }

  @Test func `a pickle inside is found by its first bytes too`() throws {
    let bytes = ZipFixture([ZipFixture.Entry("archive/data", PyTorchTests.harmless)]).bytes
    #expect(try inspect("model.weights", bytes).report.runsCode != nil)
  }
}

struct PyTorchTests {
  /// `{}` as protocol 2.
  static let harmless: [UInt8] = [0x80, 2, 0x7D, 0x2E]

  private func archive(_ entries: [ZipFixture.Entry]) throws -> FileInspection {
    try inspect("m.pt", ZipFixture(entries).bytes)
  }

  @Test func `a file of tensors alone may be agreed to`() throws {
    let pickle: [UInt8] =
      [0x80, 2] + Array("ctorch._utils\n_rebuild_tensor_v2\nctorch\nFloatStorage\n".utf8)
      + Array("ccollections\nOrderedDict\n".utf8) + [0x2E]
    let found = try archive([
      ZipFixture.Entry("archive/data.pkl", pickle), ZipFixture.Entry("archive/data/0", "abcd"),
    ])
    #expect(found.problemCode == nil)
    #expect(found.report.runsCode != nil)
    #expect(
      found.format.more["globals"]
        == .list([
          "collections OrderedDict", "torch FloatStorage", "torch._utils _rebuild_tensor_v2",
        ])
    )
  }

  @Test func `a pickle that calls anything else is refused`() throws {
    let pickle =
      [0x80, 2] + Array("cposix\nsystem\n".utf8) + [0x58, 2, 0, 0, 0, 0x6C, 0x73, 0x85, 0x52, 0x2E]
    let found = try archive([ZipFixture.Entry("archive/data.pkl", pickle)])
    #expect(found.problemCode == "unsafeCode")
    #expect(found.problem?.text.contains("posix system") == true)
  }

  @Test(
    arguments: [
      ("no data.pkl", [ZipFixture.Entry("archive/version", "3")], "missingKey"),
      ("data.pkl at the top", [ZipFixture.Entry("data.pkl", harmless)], "missingKey"),
      ("a cut pickle", [ZipFixture.Entry("archive/data.pkl", [0x80, 2, 0x7D])], "truncated"),
    ] as [(String, [ZipFixture.Entry], String)]
  )
  func `an archive that torch did not write is refused`(
    name: String,
    entries: [ZipFixture.Entry],
    code: String
  ) throws {
    #expect(try archive(entries).problemCode == code)
  }

  @Test func `code may be packed, as TorchScript packs it`() throws {
    var code = ZipFixture.Entry("m/code/__torch__.py", [3, 0])
    code.method = 8
    code.size = 0
    let found = try archive([ZipFixture.Entry("m/data.pkl", Self.harmless), code])
    #expect(found.problemCode == nil)
    #expect(found.report.runsCode == "it is TorchScript, which is code")
  }

  @Test func `packed entries are refused`() throws {
    var entry = ZipFixture.Entry("archive/data.pkl", Self.harmless)
    entry.method = 8
    #expect(try archive([entry]).problemCode == "badType")
  }

  @Test func `TorchScript is code by design`() throws {
    let found = try archive([
      ZipFixture.Entry("m/data.pkl", [0x80, 2] + Array("c__torch__.Net\nNet\n.".utf8)),
      ZipFixture.Entry("m/code/__torch__.py", "class Net"),
    ])
    #expect(found.problemCode == nil)
    #expect(found.report.runsCode == "it is TorchScript, which is code")
  }

  @Test func `a pt2 archive says what it is`() throws {
    let entries = [
      ZipFixture.Entry("m/archive_format", "pt2"), ZipFixture.Entry("m/archive_version", "0"),
      ZipFixture.Entry("m/models/model.json", "{}"),
    ]
    let found = try inspect("m.pt2", ZipFixture(entries).bytes)
    #expect(found.problemCode == nil)
    #expect(found.format.more["archiveVersion"] == .text("0"))
    #expect(found.format.more["models"] == .integer(1))
    #expect(found.report.runsCode == nil)
    let native = entries + [ZipFixture.Entry("m/data/aotinductor/model/a.so", "ELF")]
    #expect(try inspect("m.pt2", ZipFixture(native).bytes).report.runsCode != nil)
    #expect(
      try inspect("m.pt2", ZipFixture([ZipFixture.Entry("m/x", "")]).bytes).problemCode
        == "missingKey"
    )
    let nested = ZipFixture([
      ZipFixture.Entry("x/data.pkl", [0x80, 2] + Array("cos\nsystem\n.".utf8))
    ]).bytes
    let bad = entries + [ZipFixture.Entry("m/data/sample_inputs/model.pt", nested)]
    #expect(try inspect("m.pt2", ZipFixture(bad).bytes).problemCode == "unsafeCode")
    let safe =
      entries + [
        ZipFixture.Entry(
          "m/data/w.pt",
          ZipFixture([
            ZipFixture.Entry("x/data.pkl", [0x80, 2] + Array("ccollections\nOrderedDict\n.".utf8))
          ]).bytes
        )
      ]
    #expect(try inspect("m.pt2", ZipFixture(safe).bytes).warningCodes == [.unsafeCode])
  }
}
