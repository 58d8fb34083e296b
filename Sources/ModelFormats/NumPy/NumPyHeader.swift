/// The header of an array file: its type and shape, and where the elements begin.
struct NumPyHeader: Equatable {
  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// The longest header that numpy reads without being told to trust the file.
  static let maximumLength = 10_000
  /// The bytes that hold any header.
  static let window = 12 + maximumLength

  let type: NumPyType
  /// The bytes that all elements take.
  let dataSize: UInt64
  /// Where the elements begin, from the start of the array.
  let dataStart: Int

  /// Reads the header from the start of an array; `place` is where that is in the file.
  init(_ start: [UInt8], at place: Int) throws(FormatStop) {
    func stop(_ code: FaultCode, _ expected: String, _ found: String) -> FormatStop {
      .structure(code, at: place, "the array header", expected: expected, found: found)
    }
    guard start.starts(with: Self.magic) else {
      throw stop(.badMagic, "a NumPy array", "another content")
    }
    guard start.count >= 10 else { throw stop(.truncated, "10 bytes or more", "\(start.count)") }
    let major = start[6]
    guard (1...3).contains(major), start[7] == 0 else {
      throw stop(.unsupportedVersion, "version 1.0, 2.0 or 3.0", "\(major).\(start[7])")
    }
    var cursor = ByteCursor(start, at: 8)
    guard let length = major == 1 ? cursor.u16().map(UInt32.init) : cursor.u32() else {
      throw stop(.truncated, "the length of the header", "the end")
    }
    guard length <= UInt32(Self.maximumLength) else {
      throw stop(.tooLong, "at most \(Self.maximumLength) bytes", "\(length)")
    }
    guard let text = cursor.take(UInt64(length)) else {
      throw stop(.truncated, "\(length) bytes", "\(cursor.remaining)")
    }
    dataStart = cursor.offset
    guard let literal = PythonLiteral(Array(text)), case .dictionary(let members) = literal,
      members.map(\.key).sorted() == ["descr", "fortran_order", "shape"]
    else { throw stop(.badEncoding, "exactly descr, fortran_order and shape", "another text") }
    var values: [String: PythonLiteral] = [:]
    for member in members { values[member.key] = member.value }
    guard let descr = values["descr"], let type = NumPyType(descr),
      case .boolean? = values["fortran_order"]
    else { throw stop(.badType, "a type of elements", "another text") }
    guard case .sequence? = values["shape"],
      let elements = values["shape"].flatMap(NumPyType.elementCount)
    else {
      throw stop(.badShape, "dimensions of 0 or more, and fewer than 2^63 elements", "others")
    }
    let (size, overflowed) = elements.multipliedReportingOverflow(by: type.size)
    guard !overflowed else { throw stop(.overflow, "fewer than 2^64 bytes", "more") }
    (self.type, dataSize) = (type, size)
  }

  /// Throws unless the elements fill an array file of `size` bytes, and are numbers.
  func check(size: UInt64, at place: Int) throws(FormatStop) {
    guard !type.isObject else {
      throw .structure(
        .unsafeCode,
        at: place,
        "the elements of the array",
        expected: "numbers or texts",
        found: "Python objects, which are loaded by unpickling"
      )
    }
    let (needed, overflowed) = UInt64(dataStart).addingReportingOverflow(dataSize)
    guard !overflowed, needed == size else {
      let code: FaultCode = overflowed || size < needed ? .truncated : .trailingBytes
      throw .structure(
        code,
        at: place,
        "the array",
        expected: "\(dataSize) bytes of elements after \(dataStart)",
        found: "\(size) bytes in all"
      )
    }
  }
}
