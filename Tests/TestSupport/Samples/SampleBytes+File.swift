package import SystemFiles

extension SampleBytes {
  /// Writes the first `count` bytes to a new file at `path`, in blocks of 128 KiB, which page caches like best.
  package func write(
    _ count: Int,
    to path: String,
    mode: UInt32 = 0o644
  ) throws(SystemError) {
    let file = try OpenFile(creating: path, mode: mode)
    var offset = 0
    while offset < count {
      let bytes = self[offset..<min(count, offset + 1 << 17)]
      try file.write(bytes.span, at: offset)
      offset += bytes.count
    }
  }
}
