/// A GGUF file put together part by part, so that a test can make any of them wrong.
struct GGUFSample {
  struct Key {
    var name: [UInt8]
    /// What stands where the length of the name does; nil for the true one.
    var nameLength: UInt64?
    var type: UInt64
    var value: [UInt8]
  }

  struct Tensor {
    var name = Array("a".utf8)
    /// What stands where the count of dimensions does; nil for the true one.
    var dimensionCount: UInt64?
    var dimensions: [UInt64] = [8]
    var type: UInt64 = 0
    /// nil for the place behind the tensor before.
    var offset: UInt64?
    /// The bytes of the data.
    var size = 32
  }

  var version: UInt64 = 3
  var isBigEndian = false
  var alignment = 32
  var keys: [Key] = []
  var tensors = [Tensor()]
  /// What stands where the counts do; nil for the true ones.
  var keyCount: UInt64?
  var tensorCount: UInt64?
  /// What follows the data.
  var end: [UInt8] = []

  init(architecture: String? = "llama") {
    if let architecture { add("general.architecture", text: architecture) }
  }

  private var width: Int { version == 1 ? 4 : 8 }

  func number(_ value: UInt64, _ bytes: Int) -> [UInt8] {
    Files.number(value, bytes: bytes, bigEndian: isBigEndian)
  }

  func string(_ bytes: [UInt8]) -> [UInt8] { number(UInt64(bytes.count), width) + bytes }

  mutating func add(_ name: String, _ type: UInt64, _ value: [UInt8]) {
    keys.append(Key(name: Array(name.utf8), type: type, value: value))
  }

  mutating func add(_ name: String, text: String) { add(name, 8, string(Array(text.utf8))) }
  mutating func add(_ name: String, u32 value: UInt64) { add(name, 4, number(value, 4)) }

  mutating func add(_ name: String, texts: [String]) {
    let elements = texts.flatMap { string(Array($0.utf8)) }
    add(name, 9, number(8, 4) + number(UInt64(texts.count), width) + elements)
  }

  /// Adds an array of numbers, all zero.
  mutating func add(_ name: String, zeros count: Int, ofType type: UInt64, bytes: Int) {
    let elements = [UInt8](repeating: 0, count: count * bytes)
    add(name, 9, number(type, 4) + number(UInt64(count), width) + elements)
  }

  /// Where the table of tensors begins.
  var tableStart: Int { head.count }

  private var head: [UInt8] {
    var bytes = Array("GGUF".utf8) + number(version, 4)
    bytes += number(tensorCount ?? UInt64(tensors.count), width)
    bytes += number(keyCount ?? UInt64(keys.count), width)
    for key in keys {
      bytes += number(key.nameLength ?? UInt64(key.name.count), width) + key.name
      bytes += number(key.type, 4) + key.value
    }
    return bytes
  }

  /// Where the data begins.
  var dataStart: Int { padded(headAndTable.count) }

  private func padded(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }

  private var headAndTable: [UInt8] {
    var bytes = head
    var next = 0
    for tensor in tensors {
      bytes += string(tensor.name)
      bytes += number(tensor.dimensionCount ?? UInt64(tensor.dimensions.count), 4)
      for dimension in tensor.dimensions { bytes += number(dimension, width) }
      bytes += number(tensor.type, 4) + number(tensor.offset ?? UInt64(next), 8)
      next = padded(next + tensor.size)
    }
    return bytes
  }

  var bytes: [UInt8] {
    var bytes = headAndTable
    guard !tensors.isEmpty else { return bytes + end }
    bytes += [UInt8](repeating: 0, count: padded(bytes.count) - bytes.count)
    for (index, tensor) in tensors.enumerated() {
      let size = index == tensors.count - 1 ? tensor.size : padded(tensor.size)
      bytes += [UInt8](repeating: 7, count: size)
    }
    return bytes + end
  }

  /// A sample that `change` has changed.
  static func with(_ change: (inout GGUFSample) -> Void) -> GGUFSample {
    var sample = GGUFSample()
    change(&sample)
    return sample
  }
}
