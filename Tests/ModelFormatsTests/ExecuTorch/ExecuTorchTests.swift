import Manifests
import ModelFormats
import Testing

struct ExecuTorchTests {
  /// A program with an extended header of 32 bytes, and `segments` bytes behind it.
  private func program(
    version: UInt32 = 0,
    segments: Int = 100,
    change: (inout [UInt8]) -> Void = { _ in }
  ) -> [UInt8] {
    let delegate = FlatFixture([4: .text("XnnpackBackend")])
    let root = FlatFixture([
      4: .u32(version), 6: .tables([FlatFixture([4: .text("forward"), 18: .tables([delegate])])]),
    ])
    let plain = root.file(identifier: "ET12")
    // The header stands between the identifier and the tables, which move behind it.
    var bytes =
      Files.number(UInt64(plain[0]) + 32, bytes: 4) + Array("ET12eh00".utf8)
      + Files.number(32, bytes: 4)
    let size = UInt64(plain.count + 32)
    bytes +=
      Files.number(size, bytes: 8) + Files.number(size, bytes: 8)
      + Files.number(UInt64(segments), bytes: 8)
    bytes += plain.dropFirst(8) + [UInt8](repeating: 1, count: segments)
    change(&bytes)
    return bytes
  }

  @Test func `a whole program has no fault, and tells its facts`() throws {
    let found = try inspect("m.pte", program())
    #expect(found.problemCode == nil)
    #expect(found.format.version == 0)
    #expect(found.format.more["delegates"] == .list(["XnnpackBackend"]))
    #expect(found.format.more["segments"] == .integer(100))
    #expect(found.report.unknownToRuntimes.contains("delegate XnnpackBackend"))
  }

  private static let broken: [ChangedFixture<[UInt8], String>] = [
    ChangedFixture("a header of 23 bytes", "badShape") {
      FlatFixture.set(&$0, at: 12, 23, bytes: 4)
    },
    ChangedFixture("a program longer than the file", "truncated") {
      FlatFixture.set(&$0, at: 16, 1 << 40, bytes: 8)
    },
    ChangedFixture("segments inside the program", "badOffset") {
      FlatFixture.set(&$0, at: 24, 8, bytes: 8)
    },
    ChangedFixture("segments beyond the end", "truncated") {
      FlatFixture.set(&$0, at: 32, 101, bytes: 8)
    },
    ChangedFixture("segments whose end overflows", "overflow") {
      FlatFixture.set(&$0, at: 32, .max, bytes: 8)
    },
    ChangedFixture("a root outside", "badOffset") {
      FlatFixture.set(&$0, at: 0, 0x7FFF_FFF0, bytes: 4)
    },
    ChangedFixture("a byte less", "truncated") { $0.removeLast() },
  ]

  @Test(arguments: broken)
  func `a broken program is refused`(changed: ChangedFixture<[UInt8], String>) throws {
    #expect(try inspect("m.pte", program(change: changed.change)).problemCode == changed.outcome)
  }

  @Test func `bytes behind the segments are a warning, and a newer version is left unverified`()
    throws
  {
    #expect(try inspect("m.pte", program() + [0]).warningCodes == [.trailingBytes])
    #expect(try inspect("m.pte", program(version: 1)).unverifiedCodes == [.newerVersion])
  }

  @Test func `data files have their own identifier`() throws {
    let bytes = FlatFixture([4: .u32(0)]).file(identifier: "FT01")
    let found = try inspect("m.ptd", bytes)
    #expect(found.problemCode == nil)
    #expect(found.format.name.text == "ptd")
    #expect(try inspect("m.ptd", Array(bytes.dropLast(3))).problemCode != nil)
  }
}
