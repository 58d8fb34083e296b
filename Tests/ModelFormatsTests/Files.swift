import Manifests
import ModelFormats

/// Small files of each format, made of bytes as their specifications say.
enum Files {
  static func number(_ value: UInt64, bytes: Int, bigEndian: Bool = false) -> [UInt8] {
    let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? little.reversed() : little
  }

  /// A GGUF file of these keys and no tensors; each value is its type and its bytes.
  static func gguf(
    version: UInt64 = 3,
    bigEndian: Bool = false,
    keys: [(String, UInt64, [UInt8])] = [("general.architecture", 8, text("llama"))]
  ) -> [UInt8] {
    let width = version == 1 ? 4 : 8
    func integer(_ value: UInt64, _ bytes: Int) -> [UInt8] {
      number(value, bytes: bytes, bigEndian: bigEndian)
    }
    var bytes = Array("GGUF".utf8) + integer(version, 4) + integer(0, width)
    bytes += integer(UInt64(keys.count), width)
    for (key, type, value) in keys {
      bytes += integer(UInt64(key.utf8.count), width) + Array(key.utf8) + integer(type, 4) + value
    }
    return bytes
  }

  /// A GGUF string of version 2 and 3.
  static func text(_ text: String) -> [UInt8] {
    number(UInt64(text.utf8.count), bytes: 8) + Array(text.utf8)
  }

  static func safetensors(_ header: String, data: Int = 0) -> [UInt8] {
    number(UInt64(header.utf8.count), bytes: 8) + Array(header.utf8)
      + [UInt8](repeating: 0, count: data)
  }

  static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  static func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(content.count)) + content
  }

  static func onnx(raw: Int = 24) -> [UInt8] {
    var fixture = ONNXFixture()
    fixture.opsets.append(("ai.onnx.ml", 3))
    fixture.initializers = [ONNXFixture.tensor(dimensions: [UInt64(raw / 4)], raw: raw)]
    return fixture.bytes
  }

  static func mlmodel() -> [UInt8] {
    var fixture = CoreMLFixture()
    fixture.version = 8
    fixture.blobs = []
    return fixture.bytes
  }

  static func tflite() -> [UInt8] { TFLiteFixture().bytes }
}

/// A source that counts what is read, and that may be far larger than its bytes.
final class CountingSource: ByteSource {
  let bytes: [UInt8]
  let size: Int
  private(set) var count = 0
  private(set) var largest = 0

  init(_ bytes: [UInt8], size: Int) {
    self.bytes = bytes
    self.size = size
  }

  func read(at offset: Int, count: Int) -> [UInt8] {
    precondition(offset >= 0 && count >= 0)
    let end = min(size, offset + count)
    guard offset < end else { return [] }
    self.count += end - offset
    largest = max(largest, count)
    let start = bytes.dropFirst(offset).prefix(end - offset)
    return Array(start) + [UInt8](repeating: 0, count: end - offset - start.count)
  }
}

func inspect(_ path: String, _ bytes: [UInt8]) throws -> FileInspection {
  FileInspection(try RelativePath(path), BytesInMemory(bytes))
}
