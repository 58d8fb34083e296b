import Manifests
import ModelFormats
import Testing

/// The container of LiteRT-LM: magic, version, the end of the header, and a flatbuffer that lists sections.
struct LiteRTLMTests {
  /// A file with a section of 100 bytes behind its header, unless a test says otherwise.
  static func file(
    version: (UInt64, UInt64, UInt64) = (1, 6, 0),
    sections: [(begin: UInt64, end: UInt64)] = [(1_000, 1_100)],
    end: UInt64? = nil,
    size: Int = 1_100
  ) -> [UInt8] {
    let objects = sections.map { FlatFixture([6: .u64($0.begin), 8: .u64($0.end), 10: .u8(3)]) }
    // The identifier is left out of a header inside a file; four bytes of it stand for nothing.
    let header = FlatFixture([6: .table(FlatFixture([4: .tables(objects)]))])
      .file(identifier: "\0\0\0\0")
    var bytes = Array("LITERTLM".utf8)
    for part in [version.0, version.1, version.2, 0] { bytes += Files.number(part, bytes: 4) }
    bytes += Files.number(end ?? UInt64(32 + header.count), bytes: 8) + header
    return bytes + [UInt8](repeating: 7, count: max(0, size - bytes.count))
  }

  @Test func `a whole container has no fault, tells its facts, and needs a stated version`() throws
  {
    let found = try inspect("m.litertlm", Self.file())
    #expect(found.problem == nil)
    #expect(found.format.name.text == "litertlm")
    #expect(found.role == .weights)
    #expect(found.format.version == 1)
    #expect(
      found.format.more == ["containerVersion": .text("1.6.0"), "sections": .integer(1)]
    )
    #expect(found.minimums == [])
    #expect(found.report.unknownToRuntimes == ["LiteRT-LM container version 1.6.0"])
  }

  @Test(
    arguments: [
      ("another version 0", file(version: (0, 1, 0)), "unsupportedVersion"),
      ("no section", file(sections: []), "missingKey"),
      ("a section that ends before it begins", file(sections: [(1_100, 1_000)]), "badOffset"),
      ("a section beyond the end", file(sections: [(1_000, 1_101)]), "truncated"),
      ("a section of 2^64 bytes", file(sections: [(0, .max)]), "truncated"),
      ("a header that ends before it begins", file(end: 31), "badOffset"),
      ("a header beyond the end", file(end: 1 << 40), "truncated"),
      ("a header that is no flatbuffer", file(end: 40), "badOffset"),
      ("a header of over a mebibyte", file(end: 2 << 20, size: 3 << 20), "tooLong"),
      ("a byte less", Array(file().dropLast()), "truncated"),
      ("a page", Array("<!DOCTYPE html>".utf8), "htmlPage"),
      ("another magic", Array("LITERTLX".utf8) + file().dropFirst(8), "formatMismatch"),
    ] as [(String, [UInt8], String)]
  )
  func `a broken container is refused`(name: String, bytes: [UInt8], code: String) throws {
    #expect(try inspect("m.litertlm", bytes).problemCode == code, "\(name)")
  }

  @Test func `every cut is refused`() throws {
    let bytes = Self.file()
    for count in 0..<bytes.count {
      let code = try inspect("m.litertlm", Array(bytes.prefix(count))).problemCode
      #expect(code == (count == 0 ? "empty" : "truncated"), "cut at \(count)")
    }
  }

  @Test func `a newer container can't be checked`() throws {
    let found = try inspect("m.litertlm", Self.file(version: (2, 0, 0), end: 1))
    #expect(found.unverifiedCodes == [.newerVersion])
    #expect(found.report.fault == nil)
    #expect(found.report.unknownToRuntimes == ["LiteRT-LM container version 2.0.0"])
  }
}
