import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct SampleTests {
  @Test func `bytes are the same from any place, and another seed gives others`() {
    let bytes = SampleBytes(seed: 5)
    let all = bytes.prefix(300_000)
    #expect(SampleBytes(seed: 5)[65_000..<200_001] == Array(all[65_000..<200_001]))
    #expect(SampleBytes(seed: 6).prefix(100) != bytes.prefix(100))
    #expect(bytes[10..<10].isEmpty)
  }

  @Test func `no two blocks are alike`() {
    let bytes = SampleBytes(seed: 5)
    let blocks = (0..<2000).map { bytes[$0 * 65_536..<$0 * 65_536 + 32] }
    #expect(Set(blocks).count == 2000)
  }

  @Test(arguments: [0, 1, 1 << 20, 3_000_001])
  func `a file holds the first bytes`(count: Int) throws {
    let path = TemporaryFolder.path("a")
    try SampleBytes(seed: 2).write(count, to: path, mode: 0o444)
    let file = try OpenFile(reading: path)
    let (contents, mode) = (try file.readAll(limit: 1 << 30), try file.status().mode)
    #expect(Long(contents) == Long(SampleBytes(seed: 2).prefix(count)))
    #expect(mode == 0o444)
  }

  @Test func `a GGUF file has version, architecture and a tensor at the aligned end`() {
    let file = SampleModel.gguf(architecture: "qwen2", elements: 8)
    #expect(file.starts(with: Array("GGUF".utf8) + [3, 0, 0, 0, 1]))
    #expect(file.count == 128 + 32)
    #expect(SampleModel.gguf(seed: 2) != SampleModel.gguf(seed: 3))
  }

  @Test func `a safetensors file has an aligned header that covers its bytes`() {
    let file = SampleModel.safetensors(elements: 8)
    let length = Int(file[0]) + Int(file[1]) << 8
    #expect(length % 8 == 0)
    #expect(file.count == 8 + length + 32)
    #expect(file[8] == UInt8(ascii: "{"))
  }

  @Test func `an ONNX file begins with its version and a TFLite file has its mark`() {
    #expect(SampleModel.onnx(irVersion: 8).starts(with: [0x08, 8]))
    #expect(SampleModel.tflite()[4..<8] == Array("TFL3".utf8)[...])
  }

  @Test func `what is no model looks as it does in the field`() {
    #expect(SampleModel.htmlPage.starts(with: "<!DOCTYPE html>".utf8))
    let pointer = SampleModel.lfsPointer(sha256: String(repeating: "0", count: 64), size: 5)
    #expect(pointer.starts(with: "version https://git-lfs.github.com/spec/v1\noid sha256:0".utf8))
  }
}
