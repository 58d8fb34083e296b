/// A table of a flatbuffer that a test writes: the values by their places in the list of fields.
struct FlatFixture {
  indirect enum Value {
    case u8(UInt8)
    case u32(UInt32)
    case u64(UInt64)
    case text(String)
    case numbers([UInt32])
    case bytes([UInt8])
    case table(FlatFixture)
    case tables([FlatFixture])
  }

  var fields: [Int: Value]

  init(_ fields: [Int: Value] = [:]) { self.fields = fields }

  /// The flatbuffer with this table as its root.
  func file(identifier: String) -> [UInt8] {
    var bytes = [0, 0, 0, 0] + Array(identifier.utf8)
    let place = write(to: &bytes)
    Self.set(&bytes, at: 0, UInt64(place), bytes: 4)
    return bytes
  }

  /// Appends the list of fields, the table and all that it leads to; returns the place of the table.
  private func write(to bytes: inout [UInt8]) -> Int {
    Self.pad(&bytes, to: 8)
    let slots = fields.keys.max().map { $0 + 2 } ?? 4
    let list = bytes.count
    bytes += [UInt8](repeating: 0, count: slots)
    Self.pad(&bytes, to: 8)
    let table = bytes.count
    bytes += Files.number(UInt64(table - list), bytes: 4)
    var places: [(place: Int, value: Value)] = []
    for (slot, value) in fields.sorted(by: { $0.key < $1.key }) {
      let size = value.size
      while bytes.count % size != 0 { bytes.append(0) }
      Self.set(&bytes, at: list + slot, UInt64(bytes.count - table), bytes: 2)
      places.append((bytes.count, value))
      bytes += value.number
    }
    Self.set(&bytes, at: list, UInt64(slots), bytes: 2)
    Self.set(&bytes, at: list + 2, UInt64(bytes.count - table), bytes: 2)
    for (place, value) in places { Self.write(value, referredAt: place, to: &bytes) }
    return table
  }

  private static func write(_ value: Value, referredAt place: Int, to bytes: inout [UInt8]) {
    func refer() {
      pad(&bytes, to: 4)
      set(&bytes, at: place, UInt64(bytes.count - place), bytes: 4)
    }
    switch value {
    case .u8, .u32, .u64: break
    case .text(let text):
      refer()
      bytes += Files.number(UInt64(text.utf8.count), bytes: 4) + Array(text.utf8) + [0]
    case .numbers(let numbers):
      refer()
      bytes += Files.number(UInt64(numbers.count), bytes: 4)
      bytes += numbers.flatMap { Files.number(UInt64($0), bytes: 4) }
    case .bytes(let content):
      refer()
      bytes += Files.number(UInt64(content.count), bytes: 4) + content
    case .table(let table):
      let target = table.write(to: &bytes)
      set(&bytes, at: place, UInt64(target - place), bytes: 4)
    case .tables(let tables):
      refer()
      bytes += Files.number(UInt64(tables.count), bytes: 4)
      let first = bytes.count
      bytes += [UInt8](repeating: 0, count: 4 * tables.count)
      for (index, table) in tables.enumerated() {
        let target = table.write(to: &bytes)
        set(&bytes, at: first + 4 * index, UInt64(target - first - 4 * index), bytes: 4)
      }
    }
  }

  private static func pad(_ bytes: inout [UInt8], to multiple: Int) {
    while bytes.count % multiple != 0 { bytes.append(0) }
  }

  static func set(_ bytes: inout [UInt8], at place: Int, _ value: UInt64, bytes count: Int) {
    bytes.replaceSubrange(place..<(place + count), with: Files.number(value, bytes: count))
  }
}

extension FlatFixture.Value {
  fileprivate var size: Int {
    switch self {
    case .u8: 1
    case .u64: 8
    default: 4
    }
  }

  fileprivate var number: [UInt8] {
    switch self {
    case .u8(let value): [value]
    case .u32(let value): Files.number(UInt64(value), bytes: 4)
    case .u64(let value): Files.number(value, bytes: 8)
    default: [0, 0, 0, 0]
    }
  }
}
