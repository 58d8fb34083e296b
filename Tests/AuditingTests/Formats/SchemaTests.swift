import Auditing
import Foundation
import StrictJSON
import TestSupport
import Testing

/// The schema that the repository publishes, against what is written.
struct SchemaTests {
  @Test(
    .temporaryFolder,
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
  )
  func `the published schema accepts every report, and knows every member of it`() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let schema = root.appending(path: "docs/schemas/audit-report.schema.json")
    let folder = TemporaryFolder.current
    try FileManager.default.copyItem(at: schema, to: URL(filePath: "\(folder)/schema"))
    // Closed here, so that a member without a description is found; open for those who use it.
    let script = """
      import jsonschema
      schema = json.load(open("schema"))
      jsonschema.Draft202012Validator.check_schema(schema)
      def close(part):
          if isinstance(part, dict):
              if "properties" in part: part["additionalProperties"] = False
              for inner in part.values(): close(inner)
          if isinstance(part, list):
              for inner in part: close(inner)
      close(schema)
      judge = jsonschema.Draft202012Validator(schema)
      for name in files("json"):
          for error in judge.iter_errors(json.load(open(name))):
              print(name, list(error.absolute_path), error.message[:200])
      """
    let found = try await FormatJudge.judge(script, ending: "json") {
      JSONWriter.pretty(AuditDocument($0).value)
    }
    #expect(found == "")
    var report = try #require(AuditDocument(ReportScene.clean.report()).value.object)
    report["surplus"] = true
    report["outcome"] = "perfect"
    try Data(JSONWriter.compact(.object(report))).write(to: URL(filePath: "\(folder)/bad.json"))
    let refused = try await FormatJudge.run(script)
    #expect(refused.contains("'surplus' was unexpected"))
    #expect(refused.contains("'perfect' is not one of"))
  }
}
