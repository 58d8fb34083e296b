/// A value of a FlatBuffer: the tree that ``FlatWriter`` lays out.
indirect enum FlatValue {
  /// Fields by their slot in the vtable: 4, 6, 8 and so on.
  case table([Int: FlatValue])
  case vector([FlatValue])
  case numbers([Int32])
  case bytes([UInt8])
  case text(String)
  case word(Int32)
  case byte(Int8)
}

/// Lays out a FlatBuffer from front to back, each value after the one that refers to it.
struct FlatWriter {
  private var bytes: [UInt8] = []

  /// A whole file; the identifier has four bytes.
  static func file(identifier: String, _ root: FlatValue) -> [UInt8] {
    var writer = FlatWriter()
    writer.bytes = [0, 0, 0, 0] + Array(identifier.utf8)
    writer.refer(from: 0, to: writer.write(root))
    writer.align(4)
    return writer.bytes
  }

  /// Writes a value that is referred to, and returns where it begins.
  private mutating func write(_ value: FlatValue) -> Int {
    switch value {
    case .table(let fields): return writeTable(fields)
    case .vector(let values):
      let start = writeCount(values.count)
      bytes += [UInt8](repeating: 0, count: 4 * values.count)
      for (index, value) in values.enumerated() {
        refer(from: start + 4 + 4 * index, to: write(value))
      }
      return start
    case .numbers(let numbers):
      let start = writeCount(numbers.count)
      bytes += numbers.flatMap { littleEndian($0) }
      return start
    case .bytes(let data):
      // The schema wants the data of buffers at multiples of 16.
      while (bytes.count + 4) % 16 != 0 { bytes.append(0) }
      let start = writeCount(data.count)
      bytes += data
      return start
    case .text(let text):
      let start = writeCount(text.utf8.count)
      bytes += Array(text.utf8) + [0]
      return start
    case .word, .byte:
      preconditionFailure("numbers stand in their table")
    }
  }

  private mutating func writeCount(_ count: Int) -> Int {
    align(4)
    bytes += littleEndian(UInt32(count))
    return bytes.count - 4
  }

  /// Writes the vtable, then the table with four bytes for each field, then what the fields refer to.
  private mutating func writeTable(_ fields: [Int: FlatValue]) -> Int {
    align(4)
    let slots = fields.keys.sorted()
    let vtable = bytes.count
    let vtableSize = (slots.last ?? 2) + 2
    bytes += littleEndian(UInt16(vtableSize)) + littleEndian(UInt16(4 + 4 * slots.count))
    for slot in stride(from: 4, to: vtableSize, by: 2) {
      let place = slots.firstIndex(of: slot).map { 4 + 4 * $0 } ?? 0
      bytes += littleEndian(UInt16(place))
    }
    align(4)
    let table = bytes.count
    bytes += littleEndian(Int32(table - vtable))
    bytes += [UInt8](repeating: 0, count: 4 * slots.count)
    for (index, slot) in slots.enumerated() {
      guard let value = fields[slot] else { continue }
      writeField(value, at: table + 4 + 4 * index)
    }
    return table
  }

  private mutating func writeField(_ value: FlatValue, at place: Int) {
    switch value {
    case .word(let number): patch(place, littleEndian(number))
    case .byte(let number): patch(place, littleEndian(number))
    default: refer(from: place, to: write(value))
    }
  }

  private mutating func refer(from place: Int, to target: Int) {
    patch(place, littleEndian(UInt32(target - place)))
  }

  private mutating func patch(_ place: Int, _ new: [UInt8]) {
    bytes.replaceSubrange(place..<place + new.count, with: new)
  }

  private mutating func align(_ alignment: Int) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }
}
