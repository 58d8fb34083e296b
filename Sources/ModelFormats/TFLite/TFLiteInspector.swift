import Manifests

/// Checks a TensorFlow Lite model and takes the oldest runtime that its converter wrote into it.
enum TFLiteInspector: FormatInspector {
  static let magic = Array("TFL3".utf8)
  private static let version: UInt32 = 3

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var walk = FlatBufferWalk()
    let root = try walk.root(&reader)
    let version = try walk.u32(4, in: root, &reader)
    report.version = Int(version)
    guard version >= Self.version else {
      throw .structure(
        .unsupportedVersion,
        at: root.offset,
        "the version",
        expected: "\(Self.version)",
        found: "\(version)"
      )
    }
    if version > Self.version {
      report.leaveUnverified(
        .newerVersion,
        at: root.offset,
        "the version",
        expected: "\(Self.version)",
        found: "\(version)"
      )
    }
    try walk.verify(root, as: TFLiteSchema.model, &reader)
    var model = TFLiteModel(walk, report)
    defer { report = model.report }
    try model.check(root, &reader)
  }
}
