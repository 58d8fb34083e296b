/// Checks the frame of an ExecuTorch program: the extended header, and the program up to its delegates.
enum PTEInspector: FormatInspector {
  static let magic = Array("ET12".utf8)
  private static let newestVersion: UInt32 = 0
  private static let maximumNames = 256

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let size = try programSize(&reader, into: &report)
    try reader.within(0..<size) { reader throws(FormatStop) in
      try inspectProgram(&reader, into: &report)
    }
  }

  /// Reads the extended header; without one the program is the whole file.
  private static func programSize(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) -> Int {
    func stop(_ code: FaultCode, _ expected: String, _ found: String) -> FormatStop {
      .structure(code, at: 8, "the extended header", expected: expected, found: found)
    }
    try reader.require(8)
    guard reader.size >= 16 else { return reader.size }
    try reader.seek(to: 8)
    guard try reader.take(4) == Array("eh00".utf8) else { return reader.size }
    let length = try reader.u32()
    guard length >= 24 else { throw stop(.badShape, "24 bytes or more", "\(length)") }
    let (program, base) = (try reader.u64(), try reader.u64())
    let data = length > 24 ? try reader.u64() : 0
    let size = UInt64(reader.size)
    guard program <= size else { throw reader.truncated(needed: program) }
    guard program >= 8 else { throw stop(.badShape, "a program of 8 bytes or more", "\(program)") }
    guard base > 0 || data > 0 else { return Int(program) }
    guard base >= program else {
      throw stop(.badOffset, "segments behind the program of \(program) bytes", "\(base)")
    }
    let (end, overflowed) = base.addingReportingOverflow(data)
    guard !overflowed else { throw stop(.overflow, "an end below 2^64", "more") }
    guard end <= size else { throw reader.truncated(needed: end) }
    if length > 24, end != size {
      report.warn(
        .trailingBytes,
        at: Int(end),
        "the end of the segments",
        expected: "the end of the file",
        found: "\(size - end) bytes more"
      )
    }
    report.note("segments", data)
    return Int(program)
  }

  private static func inspectProgram(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var walk = FlatBufferWalk()
    let root = try walk.root(&reader)
    let version = try walk.u32(4, in: root, &reader)
    report.version = Int(version)
    if version > newestVersion {
      report.leaveUnverified(
        .newerVersion,
        at: root.offset,
        "the version of the program",
        expected: "at most \(newestVersion)",
        found: "\(version)"
      )
    }
    var delegates: Set<String> = []
    let plans = try walk.vector(6, of: 4, in: root, "the plans", &reader)
    for index in 0..<(plans?.count ?? 0) {
      let plan = try walk.table(referredAt: (plans?.offset ?? 0) + 4 * index, "a plan", &reader)
      guard let list = try walk.vector(18, of: 4, in: plan, "the delegates", &reader) else {
        continue
      }
      for index in 0..<list.count {
        let delegate = try walk.table(referredAt: list.offset + 4 * index, "a delegate", &reader)
        let id = plainText(try walk.text(4, in: delegate, "the name of a delegate", &reader) ?? [])
        if let id, delegates.count < maximumNames { delegates.insert(id) }
      }
    }
    report.note("delegates", list: delegates.sorted())
    report.unknownToRuntimes.append("ExecuTorch program version \(version)")
    report.unknownToRuntimes += delegates.sorted().prefix(64).map { "delegate \($0)" }
  }
}
