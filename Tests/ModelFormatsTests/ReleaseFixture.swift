import Manifests
import ModelFormats

/// The files of a release in memory, each inspected, and then together.
struct ReleaseFixture {
  let inspections: [FileInspection]
  let together: ReleaseInspection

  init(_ files: [String: [UInt8]]) throws {
    var contents: [RelativePath: [UInt8]] = [:]
    for (path, bytes) in files { contents[try RelativePath(path)] = bytes }
    let all = contents
    inspections = contents.keys.sorted().map { FileInspection($0, BytesInMemory(all[$0] ?? [])) }
    together = ReleaseInspection(of: inspections) { BytesInMemory(all[$0] ?? []) }
  }

  /// The problems of single files, as path and code.
  var fileProblems: [String] {
    inspections.compactMap(\.problem).map { "\($0.file) \($0.fault.code)" }
  }

  /// The problems of the files together, as path and code.
  var problems: [String] { together.problems.map { "\($0.file) \($0.fault.code)" } }

  /// The warnings about files together, as path and code.
  var warnings: [String] { together.warnings.map { "\($0.file) \($0.fault.code.rawValue)" } }

  /// Bytes that look like nothing.
  static func data(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xA7, count: count) }
}
