import Auditing
import Digests
import Manifests
import StrictJSON
import Testing

struct ReportTests {
  @Test(arguments: [
    ([], AuditReport.Outcome.clean),
    ([AuditFinding(.changedDuringAudit)], .clean),
    ([AuditFinding(.extra)], .findings),
    ([AuditFinding(.modified)], .findings),
    ([AuditFinding(.belowFloor, severity: .note)], .clean),
  ])
  func `an audit ends with findings where one matters more than a note`(
    findings: [AuditFinding],
    outcome: AuditReport.Outcome
  ) throws {
    #expect(try Samples.report([Samples.file("a", findings)]).outcome == outcome)
  }

  @Test func `an audit that was not finished is not clean, whatever it found`() throws {
    let report = try Samples.report(
      [Samples.file("a", [AuditFinding(.modified)])],
      unfinished: .init(.deadline)
    )
    #expect(report.outcome == .unfinished)
  }

  @Test func `a report claims no more than what was looked at`() throws {
    let whole = "every byte was read and compared with the signed digests"
    let place = try #require(AuditCursor("acme/tiny@1.0.0-0123456789abcdef:1.2"))
    let rest = "; what stands before \(place.text) was not looked at"
    let cut = "; the audit did not come to its end"
    #expect(try Samples.report([]).proof == whole)
    #expect(try Samples.report([], resumedFrom: place).proof == whole + rest)
    #expect(try Samples.report([], unfinished: .init(.deadline)).proof == whole + cut)
    let both = try Samples.report([], resumedFrom: place, unfinished: .init(.interrupted))
    #expect(both.proof == whole + rest + cut)
    let folder = AuditReport.Subject.folder(path: "/model", manifest: "/m.json")
    let store = try Samples.report([], mode: .quick).proof
    #expect(store.contains("inodes were compared with those that were verified"))
    let other = try Samples.report([], subject: folder, mode: .quick).proof
    #expect(other.hasSuffix("compared with the manifest, and nothing was verified before"))
  }

  @Test func `a file has the word of its gravest finding, the first among equals`() {
    #expect(Samples.file("a").verdict == .ok)
    let findings = [AuditFinding(.wrongMode), AuditFinding(.truncated), AuditFinding(.modified)]
    #expect(Samples.file("a", findings).verdict == .truncated)
  }

  @Test func `every file counts once, every chunk once, and every finding`() throws {
    let counts = try Samples.report(
      [
        Samples.file("a"), Samples.file("b", [AuditFinding(.modified), AuditFinding(.wrongMode)]),
        AuditedFile(path: "c", signed: nil, findings: [AuditFinding(.extra)]),
      ],
      findings: [AuditFinding(.keyRevoked), AuditFinding(.runtimeUnknown)]
    ).counts
    #expect((counts.models, counts.versions, counts.files) == (1, 1, 3))
    #expect(counts.filesByVerdict == [.ok: 1, .modified: 1, .extra: 1])
    #expect(counts.chunksVerified == 2)
    #expect((counts.chunksWrong, counts.chunksNotRead) == (2, 2))
    #expect(counts.findingsBySeverity == [.error: 2, .warning: 2, .note: 1])
    #expect(counts.findings == 4)
  }

  @Test func `the lines are those of the document, each finding after what it is about`() throws {
    let report = try Samples.report(
      [Samples.file("a", [AuditFinding(.modified)]), Samples.file("b")],
      findings: [AuditFinding(.keyRevoked)]
    )
    let events = AuditDocument(report).lines.map(\.event)
    #expect(
      events == ["audit", "model", "version", "finding", "file", "finding", "file", "summary"]
    )
  }

  @Test func `a cursor is read back from its text, and nothing else is one`() throws {
    let cursor = AuditCursor(
      model: try ModelName("acme/tiny"),
      version: "1.0.0-rc.1-0123456789abcdef",
      file: 12,
      chunk: 2047
    )
    #expect(cursor.text == "acme/tiny@1.0.0-rc.1-0123456789abcdef:12.2047")
    #expect(AuditCursor(cursor.text) == cursor)
    for text in [
      "", "tiny", "tiny@1:2", "tiny@1:2.", "tiny@1:.3", "@1:2.3", "tiny@:2.3", "tiny@../x:1.2",
      "tiny@1:-1.2",
    ] {
      #expect(AuditCursor(text) == nil, "\(text)")
    }
  }
}
