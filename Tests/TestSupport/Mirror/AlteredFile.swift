/// A file as a faulty mirror shows it.
struct AlteredFile: Sendable {
  enum Alteration: Hashable, Sendable {
    case none
    /// One wrong byte.
    case flip(at: Int)
    /// One wrong byte in the middle of each stretch of this many bytes.
    case flipEvery(Int)
    case zeros
    /// The byte of each place is the one before it, the last at the start.
    case shifted
    /// Another file of the same size: every byte differs.
    case swapped
  }

  let file: any ServedFile
  var alteration = Alteration.none
  /// The size that is told and sent; beyond the true size come zeros.
  var size: Int
  var tag: String

  init(_ file: any ServedFile) {
    self.file = file
    size = file.size
    tag = file.tag
  }

  /// The descriptor from which these bytes can be sent as they are, if they all come from one.
  func plainDescriptor(for range: Range<Int>) -> CInt? {
    guard alteration == .none, range.upperBound <= file.size else { return nil }
    return file.descriptor
  }

  func bytes(in range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe read(into: bytes, at: range.lowerBound)
      count = range.count
    }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    switch alteration {
    case .none:
      unsafe file.read(into: buffer, at: offset)
    case .zeros:
      unsafe clear(buffer, from: 0)
    case .flip(let place):
      unsafe file.read(into: buffer, at: offset)
      let place = min(place, size - 1)
      guard place >= offset, place < offset + buffer.count else { return }
      unsafe buffer[place - offset] ^= 0xff
    case .flipEvery(let stretch):
      unsafe file.read(into: buffer, at: offset)
      let middle = stretch / 2
      var place = offset / stretch * stretch + middle
      if place < offset { place += stretch }
      while place < offset + buffer.count {
        unsafe buffer[place - offset] ^= 0xff
        place += stretch
      }
    case .swapped:
      unsafe file.read(into: buffer, at: offset)
      unsafe Self.invert(buffer)
    case .shifted where offset == 0:
      guard buffer.count > 0 else { return }
      unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<1]), at: size - 1)
      unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[1...]), at: 0)
    case .shifted:
      unsafe file.read(into: buffer, at: offset - 1)
    }
  }

  /// Changes every byte, eight at a time: debug builds take a while for each step.
  private static func invert(_ buffer: UnsafeMutableRawBufferPointer) {
    let words = buffer.count / 8
    for index in 0..<words {
      let word = unsafe buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
      unsafe buffer.storeBytes(of: ~word, toByteOffset: index * 8, as: UInt64.self)
    }
    for index in words * 8..<buffer.count { unsafe buffer[index] = unsafe ~buffer[index] }
  }
}
