import Auditing
import Foundation
import StrictJSON
import TestSupport
import Testing

/// Asks an implementation that others wrote what it says of reports in a format.
enum FormatJudge {
  /// Writes the report of every scene in one format, and runs a script of Python with the paths as its arguments.
  ///
  /// - Returns: What the script printed, which is nothing where it has nothing to say.
  static func judge(
    _ script: String,
    ending: String,
    _ bytes: (AuditReport) -> [UInt8]
  ) async throws -> String {
    let folder = TemporaryFolder.current
    for scene in ReportScene.allCases {
      try Data(bytes(scene.report())).write(to: URL(filePath: "\(folder)/\(scene).\(ending)"))
    }
    return try await run(script)
  }

  /// Runs a script in the folder of the test; `files(ending)` in it lists the files with an ending.
  static func run(_ script: String) async throws -> String {
    let prelude = """
      import glob, json, sys
      def files(ending): return sorted(glob.glob("*." + ending))

      """
    let outcome = try await PythonEnvironment.run(prelude + script)
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    return outcome.output
  }
}

/// What no format may hold as it is: whatever a terminal or a reader obeys or does not see.
func hiddenScalars(in bytes: [UInt8], except allowed: String) -> [Unicode.Scalar] {
  String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { scalar in
    if allowed.unicodeScalars.contains(scalar) { return false }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint {
      return true
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: return true
    default: return false
    }
  }
}
