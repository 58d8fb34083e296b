import Manifests
import ModelFormats
import Testing

/// The types of tensors that a GGUF file may have, as the history of llama.cpp has them.
struct GGUFTensorTypeTests {
  /// A type with how many elements it packs together, into how many bytes, and the build that brought it.
  struct Row: Sendable, CustomTestStringConvertible {
    let number: UInt64
    let name: String
    let block, bytes: UInt64
    /// Nil for the types that are older than the format.
    let build: Int?

    init(_ number: UInt64, _ name: String, _ block: UInt64, _ bytes: UInt64, _ build: Int? = nil) {
      (self.number, self.name, self.block, self.bytes) = (number, name, block, bytes)
      self.build = build
    }

    var testDescription: String { name }

    /// A file with two rows of two blocks each.
    func sample(size: Int? = nil) -> GGUFSample {
      GGUFSample.with {
        $0.tensors[0].dimensions = [2 * block, 2]
        $0.tensors[0].type = number
        $0.tensors[0].size = size ?? Int(4 * bytes)
      }
    }
  }

  static let rows: [Row] = [
    Row(0, "F32", 1, 4), Row(1, "F16", 1, 2), Row(2, "Q4_0", 32, 18), Row(3, "Q4_1", 32, 20),
    Row(6, "Q5_0", 32, 22), Row(7, "Q5_1", 32, 24), Row(8, "Q8_0", 32, 34), Row(9, "Q8_1", 32, 36),
    Row(10, "Q2_K", 256, 84), Row(11, "Q3_K", 256, 110), Row(12, "Q4_K", 256, 144),
    Row(13, "Q5_K", 256, 176), Row(14, "Q6_K", 256, 210), Row(15, "Q8_K", 256, 292),
    Row(16, "IQ2_XXS", 256, 66, 1792), Row(17, "IQ2_XS", 256, 74, 1827),
    Row(18, "IQ3_XXS", 256, 98, 2015), Row(19, "IQ1_S", 256, 50, 2172),
    Row(20, "IQ4_NL", 32, 18, 2221), Row(21, "IQ3_S", 256, 110, 2253),
    Row(22, "IQ2_S", 256, 82, 2275), Row(23, "IQ4_XS", 256, 136, 2281), Row(24, "I8", 1, 1, 2281),
    Row(25, "I16", 1, 2, 2281), Row(26, "I32", 1, 4, 2281), Row(27, "I64", 1, 8, 2434),
    Row(28, "F64", 1, 8, 2434), Row(29, "IQ1_M", 256, 56, 2539), Row(30, "BF16", 1, 2, 2808),
    Row(34, "TQ1_0", 256, 54, 3672), Row(35, "TQ2_0", 256, 66, 3672),
    Row(39, "MXFP4", 32, 17, 6096),
    Row(40, "NVFP4", 64, 36, 8297), Row(41, "Q1_0", 128, 18, 8682), Row(42, "Q2_0", 64, 18, 9913),
  ]

  @Test func `there are thirty-five types`() { #expect(Self.rows.count == 35) }

  @Test(arguments: rows)
  func `a type tells how many bytes its tensors take, and from which build on`(row: Row) throws {
    let sample = row.sample()
    let whole = try inspect("m.gguf", sample.bytes)
    #expect(whole.problem == nil)
    #expect(whole.format.types == [row.name])
    #expect(whole.format.more["parameterCount"] == .integer(Int(4 * row.block)))
    // Runtimes keep these two for themselves.
    #expect(whole.warningCodes == ([9, 15].contains(row.number) ? [.badType] : []))
    let least = max(1_405, row.build ?? 0)
    #expect(whole.report.runtimes.map(\.minimum) == ["b\(least)"])
    let reason = "tensor type \(row.name) b\(least)"
    #expect(whole.report.runtimes.first?.because.contains(reason) == (row.build != nil))
    let size = sample.dataStart + Int(4 * row.bytes)
    let cut = try inspect("m.gguf", Array(sample.bytes.dropLast())).problem
    #expect(cut?.fault == .truncated(needed: UInt64(size), size: size - 1))
    let more = try inspect("m.gguf", sample.bytes + [1])
    #expect(more.problem == nil)
    #expect(more.report.warnings.last?.code == .trailingBytes)
  }

  @Test(arguments: rows.filter { $0.block > 1 })
  func `a row of half a block is refused`(row: Row) throws {
    var sample = row.sample()
    sample.tensors[0].dimensions[0] += row.block / 2
    #expect(try inspect("m.gguf", sample.bytes).problemCode == "badShape")
  }

  @Test(arguments: [4, 5, 31, 32, 33, 36, 37, 38] as [UInt64])
  func `a type that was dropped is refused`(number: UInt64) throws {
    let sample = GGUFSample.with { $0.tensors[0].type = number }
    #expect(try inspect("m.gguf", sample.bytes).problemCode == "removedTensorType")
  }

  @Test(arguments: [43, 99, 0x7FFF_FFFF] as [UInt64])
  func `a type that comes later can't be checked`(number: UInt64) throws {
    let report = try inspect("m.gguf", GGUFSample.with { $0.tensors[0].type = number }.bytes).report
    #expect(report.fault == nil)
    #expect(report.unverified.map(\.code) == [.unknownTensorType])
    #expect(report.unknownToRuntimes == ["tensor type \(number)"])
  }
}
