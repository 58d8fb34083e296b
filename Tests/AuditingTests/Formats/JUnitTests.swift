import Auditing
import Foundation
import TestSupport
import Testing

struct JUnitTests {
  private func text(of scene: ReportScene) throws -> String {
    String(decoding: JUnitReport(try scene.report()).bytes, as: UTF8.self)
  }

  @Test(
    .temporaryFolder,
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
  )
  func `the schema of Jenkins accepts every report, and its numbers are those of its cases`()
    async throws
  {
    let script = """
      import os, xmlschema
      import xml.etree.ElementTree as tree
      schema = xmlschema.XMLSchema(os.path.join(sys.prefix, "share/junit-10.xsd"))
      for name in files("xml"):
          for error in schema.iter_errors(name):
              print(name, error.path, error.reason)
          root = tree.parse(name).getroot()
          for part in [root] + root.findall("testsuite"):
              for number, path in (("tests", ".//testcase"), ("failures", ".//failure"), ("errors", ".//error"), ("skipped", ".//skipped")):
                  if part.get(number) is not None and int(part.get(number)) != len(part.findall(path)):
                      print(name, part.get("name"), number)
      """
    let found = try await FormatJudge.judge(script, ending: "xml") { JUnitReport($0).bytes }
    #expect(found == "")
    let folder = TemporaryFolder.current
    try Data("<testsuites><testcase name=\"a\"/></testsuites>".utf8)
      .write(to: URL(filePath: "\(folder)/bad.xml"))
    #expect(try await FormatJudge.run(script).contains("bad.xml"))
  }

  @Test func `each file is a case that fails with its gravest verdict`() throws {
    let text = try text(of: .everyVerdict)
    for verdict in AuditVerdict.allCases where verdict.severity > .note {
      #expect(
        text.contains("\n\(verdict.severity) \(verdict): ")
          || text.contains(">\(verdict.severity) \(verdict): ")
      )
      guard verdict.axis == .integrity else { continue }
      #expect(text.contains("<failure type=\"\(verdict)\""))
    }
    #expect(text.contains("<testcase name=\"ok.json\" classname=\"acme/tiny-chat@1.0.0\"/>"))
    #expect(text.contains("chunk 2, bytes 2097152-3145727: expected "))
  }

  @Test func `what nobody looked at is skipped, and an audit without an end is an error`() throws {
    #expect(
      try text(of: .everyVerdict).contains("<skipped message=\"the audit did not look at it; ")
    )
    #expect(
      try text(of: .unfinished).contains(
        "<error type=\"failure\" message=\"something that is needed"
      )
    )
    #expect(try !text(of: .clean).contains("<error"))
  }

  @Test func `trust and state of a version are cases of their own`() throws {
    let text = try text(of: .clean)
    #expect(
      text.contains("name=\"trust: the policy accepts the manifest\" classname=\"tiny@1.0.0\"/>")
    )
    #expect(text.contains("name=\"state: records and runtime agree with the version\""))
  }

  @Test func `nothing that XML forbids or a reader obeys stands in it`() throws {
    #expect(
      hiddenScalars(in: JUnitReport(try ReportScene.hostile.report()).bytes, except: "\n") == []
    )
  }
}
