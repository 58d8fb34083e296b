/// A zip archive that a test writes, right unless a test changes what its records say.
struct ZipFixture {
  struct Entry {
    var name: [UInt8]
    var content: [UInt8]
    var method: UInt16 = 0
    /// The count of bytes once unpacked; nil for that of the content.
    var size: UInt64?
    /// The name in the header before the bytes; nil for the same.
    var localName: [UInt8]?
    /// Where the directory says that the header is; nil for where it is.
    var header: UInt64?
    var mode: UInt64 = 0

    init(_ name: String, _ content: [UInt8] = []) {
      self.name = Array(name.utf8)
      self.content = content
    }

    init(_ name: String, _ content: String) { self.init(name, Array(content.utf8)) }
  }

  var entries: [Entry]
  var hasWideRecord = false
  /// What the 64-bit record says of the count of files; nil for the truth.
  var wideCount: UInt64?

  init(_ entries: [Entry]) { self.entries = entries }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var headers: [Int] = []
    for entry in entries {
      headers.append(bytes.count)
      let name = entry.localName ?? entry.name
      bytes += Files.number(0x0403_4B50, bytes: 4) + middle(entry)
      bytes += Files.number(UInt64(name.count), bytes: 2) + [0, 0] + name + entry.content
    }
    let directory = bytes.count
    for (entry, header) in zip(entries, headers) {
      bytes += Files.number(0x0201_4B50, bytes: 4) + [20, entry.mode == 0 ? 0 : 3] + middle(entry)
      bytes += Files.number(UInt64(entry.name.count), bytes: 2) + [UInt8](repeating: 0, count: 8)
      bytes += Files.number(entry.mode << 16, bytes: 4)
      bytes += Files.number(entry.header ?? UInt64(header), bytes: 4) + entry.name
    }
    let length = bytes.count - directory
    if hasWideRecord { bytes += wideRecord(directory: directory, length: length) }
    bytes += Files.number(0x0605_4B50, bytes: 4) + [0, 0, 0, 0]
    let count = Files.number(UInt64(entries.count), bytes: 2)
    bytes += count + count + Files.number(UInt64(length), bytes: 4)
    return bytes + Files.number(UInt64(directory), bytes: 4) + [0, 0]
  }

  /// From the needed version to the sizes: the same in both headers.
  private func middle(_ entry: Entry) -> [UInt8] {
    [20, 0, 0, 0] + Files.number(UInt64(entry.method), bytes: 2) + [UInt8](repeating: 0, count: 8)
      + Files.number(UInt64(entry.content.count), bytes: 4)
      + Files.number(entry.size ?? UInt64(entry.content.count), bytes: 4)
  }

  private func wideRecord(directory: Int, length: Int) -> [UInt8] {
    let count = Files.number(wideCount ?? UInt64(entries.count), bytes: 8)
    let record =
      Files.number(0x0606_4B50, bytes: 4) + Files.number(44, bytes: 8) + [45, 0, 45, 0]
      + [UInt8](repeating: 0, count: 8) + count + count + Files.number(UInt64(length), bytes: 8)
      + Files.number(UInt64(directory), bytes: 8)
    return record + Files.number(0x0706_4B50, bytes: 4) + [0, 0, 0, 0]
      + Files.number(UInt64(directory + length), bytes: 8) + [1, 0, 0, 0]
  }
}
