/// Checks the frame of an ExecuTorch data file, which holds the tensors of a program apart from it.
enum PTDInspector: FormatInspector {
  static let magic = Array("FT01".utf8)

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var walk = FlatBufferWalk()
    let root = try walk.root(&reader)
    report.version = Int(try walk.u32(4, in: root, &reader))
    report.unknownToRuntimes.append("ExecuTorch data")
  }
}
