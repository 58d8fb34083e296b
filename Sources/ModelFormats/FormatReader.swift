/// Reads numbers and bytes anywhere in a file, through small windows and within a budget.
///
/// Whatever a header claims, memory stays below a mebibyte, nothing is allocated for a count before
/// the bytes for it were seen, and the work ends: each read counts against `maximumReads`, each byte
/// that is loaded against `maximumLoaded`; more is the fault `tooLarge`. Reading beyond `limit` throws the
/// fault `truncated`.
struct FormatReader: ~Copyable {
  /// The most reads of one file; real headers take a few million at most.
  static let maximumReads = 1 << 24
  /// The most bytes that are loaded of one file.
  static let maximumLoaded = 256 << 20
  /// The most bytes that one `take` returns.
  static let maximumTake = 1 << 20
  private static let longWindow = 1 << 16
  private static let shortWindow = 1 << 12
  private static let windowCount = 4

  private struct Window {
    var start = 0
    var bytes: [UInt8] = []
    var end: Int { start + bytes.count }
  }

  /// The size of the file.
  let size: Int
  /// The end of what may be read now: of the file, or of the part that `within` has narrowed to.
  private(set) var limit: Int
  /// Where the next read begins.
  private(set) var offset = 0
  /// The order of the bytes in the numbers that follow.
  var isBigEndian = false

  /// Whether all bytes are read once, from front to back, so that what is loaded bounds the work.
  var isOnePass = false

  private let load: (_ offset: Int, _ count: Int) -> [UInt8]?
  private var windows: [Window]
  private var current = 0
  private var loaded = 0
  private var reads = 0

  /// Reads through `load`, which returns what a ``ByteSource`` would, or nil if that failed.
  init(size: Int, load: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) {
    self.size = size
    self.load = load
    limit = size
    windows = Array(repeating: Window(), count: Self.windowCount)
  }

  /// Reads bytes in memory.
  init(_ bytes: [UInt8]) {
    let source = BytesInMemory(bytes)
    self.init(size: bytes.count) { source.read(at: $0, count: $1) }
  }

  /// The bytes from `offset` to `limit`.
  var remaining: Int { limit - offset }
}

// MARK: - Moving

extension FormatReader {
  /// Goes on at `place`, counted from the start of the file; beyond `limit` it throws.
  mutating func seek(to place: UInt64) throws(FormatStop) {
    guard let place = Int(exactly: place), place <= limit else { throw truncated(needed: place) }
    offset = place
  }

  /// Goes on `count` bytes later, reading nothing.
  mutating func skip(_ count: UInt64) throws(FormatStop) {
    try require(count)
    offset += Int(count)
  }

  /// Throws unless so many bytes remain.
  func require(_ count: UInt64) throws(FormatStop) {
    guard count <= UInt64(remaining) else {
      let (needed, overflowed) = UInt64(offset).addingReportingOverflow(count)
      throw truncated(needed: overflowed ? .max : needed)
    }
  }

  /// Runs `body` with the next `count` bytes as all there is, and goes on behind them.
  mutating func within<Value>(
    next count: UInt64,
    _ body: (inout FormatReader) throws(FormatStop) -> Value
  ) throws(FormatStop) -> Value {
    try require(count)
    let (outer, end) = (limit, offset + Int(count))
    limit = end
    defer { limit = outer }
    let value = try body(&self)
    offset = end
    return value
  }

  /// Runs `body` with another range of the file as all there is, and comes back to the same place.
  mutating func within<Value>(
    _ range: Range<Int>,
    _ body: (inout FormatReader) throws(FormatStop) -> Value
  ) throws(FormatStop) -> Value {
    guard range.lowerBound >= 0, range.upperBound <= size else {
      throw truncated(needed: UInt64(clamping: range.upperBound))
    }
    let (place, outer) = (offset, limit)
    (offset, limit) = (range.lowerBound, range.upperBound)
    defer { (offset, limit) = (place, outer) }
    return try body(&self)
  }

  /// The stop at bytes that are not there.
  func truncated(needed: UInt64) -> FormatStop { .fault(.truncated(needed: needed, size: limit)) }
}

// MARK: - Reading

extension FormatReader {
  mutating func u8() throws(FormatStop) -> UInt8 {
    try window(1)
    defer { offset += 1 }
    return windows[current].bytes[offset - windows[current].start]
  }

  mutating func u16() throws(FormatStop) -> UInt16 { UInt16(truncatingIfNeeded: try integer(2)) }
  mutating func u32() throws(FormatStop) -> UInt32 { UInt32(truncatingIfNeeded: try integer(4)) }
  mutating func u64() throws(FormatStop) -> UInt64 { try integer(8) }
  mutating func i32() throws(FormatStop) -> Int32 { Int32(bitPattern: try u32()) }
  mutating func i64() throws(FormatStop) -> Int64 { Int64(bitPattern: try u64()) }

  /// Returns the next `count` bytes, at most `maximumTake`; a caller with a limit checks it before.
  mutating func take(_ count: Int) throws(FormatStop) -> [UInt8] {
    precondition((0...Self.maximumTake).contains(count), "callers check lengths first")
    try require(UInt64(count))
    if count > Self.longWindow {
      guard spend(count), let bytes = load(offset, count) else { throw failed(count) }
      guard bytes.count == count else { throw truncated(needed: UInt64(offset + count)) }
      offset += count
      return bytes
    }
    try window(count)
    let start = offset - windows[current].start
    offset += count
    return Array(windows[current].bytes[start..<start + count])
  }

  /// Returns all bytes up to the end of the window, at least one; for walks byte by byte.
  mutating func takeWindow() throws(FormatStop) -> ArraySlice<UInt8> {
    try window(1)
    let place = windows[current]
    let end = min(place.end, limit)
    defer { offset = end }
    return place.bytes[(offset - place.start)..<(end - place.start)]
  }

  /// Goes back by bytes that `takeWindow` returned and that were not used.
  mutating func putBack(_ count: Int) {
    precondition(count >= 0 && count <= offset)
    offset -= count
  }

  private mutating func integer(_ count: Int) throws(FormatStop) -> UInt64 {
    try window(count)
    let start = offset - windows[current].start
    offset += count
    var value: UInt64 = 0
    if isBigEndian {
      for index in start..<start + count {
        value = value << 8 | UInt64(windows[current].bytes[index])
      }
    } else {
      for index in (start..<start + count).reversed() {
        value = value << 8 | UInt64(windows[current].bytes[index])
      }
    }
    return value
  }

  /// Makes the next `count` bytes stand in the current window.
  private mutating func window(_ count: Int) throws(FormatStop) {
    try require(UInt64(count))
    reads += 1
    guard isOnePass || reads <= Self.maximumReads else {
      throw tooMuch("\(Self.maximumReads) reads")
    }
    if holds(current, count) { return }
    if let index = windows.indices.first(where: { holds($0, count) }) {
      current = index
      return
    }
    try fill(count)
  }

  private func holds(_ index: Int, _ count: Int) -> Bool {
    windows[index].start <= offset && offset + count <= windows[index].end
  }

  /// Loads a long window where the last one ended, since that is a walk, and a short one elsewhere.
  private mutating func fill(_ count: Int) throws(FormatStop) {
    let last = windows[current]
    let isWalk = !last.bytes.isEmpty && (last.start...last.end).contains(offset)
    let wanted = min(max(count, isWalk ? Self.longWindow : Self.shortWindow), size - offset)
    guard spend(wanted), let bytes = load(offset, wanted) else { throw failed(wanted) }
    guard bytes.count >= count else { throw truncated(needed: UInt64(offset + count)) }
    if !isWalk { current = (current + 1) % Self.windowCount }
    windows[current] = Window(start: offset, bytes: bytes)
  }

  /// Counts what is about to be loaded; false once that is too much.
  private mutating func spend(_ count: Int) -> Bool {
    loaded += count
    return loaded <= Self.maximumLoaded
  }

  private func failed(_ count: Int) -> FormatStop {
    loaded > Self.maximumLoaded ? tooMuch("\(Self.maximumLoaded) bytes") : .unreadable
  }

  private func tooMuch(_ amount: String) -> FormatStop {
    .structure(.tooLarge, at: offset, "the header", expected: "at most \(amount)", found: "more")
  }
}
