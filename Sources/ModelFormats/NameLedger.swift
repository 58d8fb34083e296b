/// Finds names that occur twice, keeping only where they stand and their hashes.
///
/// A name takes 16 bytes here, however long it is. Equal hashes are only a suspicion: `repetition`
/// reads the names again.
struct NameLedger {
  private struct Entry {
    let hash: Int
    let place: Int
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  /// Adds a name that stands at `place`.
  mutating func add(_ name: some Sequence<UInt8>, at place: Int) {
    var hasher = Hasher()
    for byte in name { hasher.combine(byte) }
    entries.append(Entry(hash: hasher.finalize(), place: place))
  }

  /// Returns the place of a name that stands at another place before; nil if there is none.
  ///
  /// `read` returns the name at a place again.
  mutating func repetition(
    _ read: (Int) throws(FormatStop) -> [UInt8]
  ) throws(FormatStop) -> Int? {
    entries.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
    var start = 0
    while start < entries.count {
      let end = entries[start...].firstIndex { $0.hash != entries[start].hash } ?? entries.count
      defer { start = end }
      guard end - start > 1 else { continue }
      var names: Set<[UInt8]> = []
      for entry in entries[start..<end] {
        guard names.insert(try read(entry.place)).inserted else { return entry.place }
      }
    }
    return nil
  }
}
