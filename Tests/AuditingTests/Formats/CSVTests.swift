import Auditing
import TestSupport
import Testing

struct CSVTests {
  private func rows(of scene: ReportScene) throws -> [[String]] {
    let text = String(decoding: CSVReport(try scene.report()).bytes, as: UTF8.self)
    return text.split(separator: "\r\n", omittingEmptySubsequences: true).map { line in
      // Every cell stands between quotes, and quotes in it are doubled.
      line.dropFirst().dropLast().split(separator: "\",\"", omittingEmptySubsequences: false)
        .map { String($0).replacing("\"\"", with: "\"") }
    }
  }

  @Test(
    .temporaryFolder,
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
  )
  func `a reader of RFC 4180 finds as many cells in each row, and no formula in any`() async throws
  {
    let script = """
      import csv
      for name in files("csv"):
          rows = list(csv.reader(open(name, newline="", encoding="utf-8"), strict=True))
          print(name, len(rows), {len(row) for row in rows})
          for cell in (cell for row in rows for cell in row):
              if cell.strip()[:1] in tuple("=+-@\\t\\r\\n|%"):
                  print("formula", cell)
      """
    let found = try await FormatJudge.judge(script, ending: "csv") { CSVReport($0).bytes }
    #expect(!found.contains("formula"))
    let lines = found.split(separator: "\n")
    #expect(lines.count == ReportScene.allCases.count)
    #expect(lines.allSatisfy { $0.hasSuffix(" {18}") }, "\(found)")
    // Sixteen files, one finding of the version, one of the model, and the names of the columns.
    #expect(lines.contains("hostile.csv 19 {18}"))
  }

  @Test func `there is a row for each finding, and one for each file without any`() throws {
    let rows = try rows(of: .damaged)
    #expect(rows[0][5...8] == ["file", "verdict", "axis", "severity"])
    let damaged = try #require(rows.first { $0[6] == "modified" })
    #expect(damaged[12] == "4")
    #expect(damaged[13].split(separator: " ").count == 3)
    #expect(damaged[13].hasPrefix("\(214 << 20)-\((216 << 20) - 1) "))
    #expect(rows.contains { $0[5] == "config.json" && $0[6] == "ok" && $0[8] == "" })
    #expect(rows.contains { $0[5] == "" && $0[6] == "keyRevoked" && $0[7] == "trust" })
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@A1", "'@A1"), ("  =1", "'  =1"),
    ("\u{FF1D}1", "'\u{FF1D}1"), ("a=1", "a=1"), ("", ""), ("\t=1", "\\u{9}=1"),
    // A quote and the mark on it are one character, and not a quote.
    ("x\"\u{301},\"=1", "x\"\"\u{301},\"\"=1"),
  ])
  func `an apostrophe stands before what would be computed`(path: String, cell: String) throws {
    let file = AuditedFile(path: path, signed: nil, findings: [AuditFinding(.extra)])
    let report = try ReportScene.report([
      ReportScene.model("tiny", [ReportScene.version(files: [file])])
    ])
    // Texts would be compared by characters.
    #expect(CSVReport(report).bytes.contains(Array(",\"\(cell)\",\"extra\",".utf8)))
  }
}
