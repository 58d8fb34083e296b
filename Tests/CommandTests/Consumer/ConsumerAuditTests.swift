import Auditing
import Digests
import Foundation
import Manifests
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

/// `audit`: what is wrong is named, each thing by its verdict, and nothing is ever written.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(20)))
struct ConsumerAuditTests {
  /// The document that `--format json` prints.
  private func document(_ outcome: ToolOutcome) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(value as? [String: Any])
  }

  private static let schema = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/schemas/audit-report.schema.json").standardized.path

  /// Compares a document with the published schema.
  private func validate(_ outcome: ToolOutcome, _ home: ConsumerHome) async throws {
    let path = try home.write(Array(outcome.output.utf8), to: "document.json")
    let result = try await PythonEnvironment.run(
      """
      import json, sys, jsonschema
      schema, document = (json.load(open(path)) for path in sys.argv[1:])
      jsonschema.Draft202012Validator.check_schema(schema)
      jsonschema.validate(document, schema, jsonschema.Draft202012Validator)
      """,
      Self.schema,
      path
    )
    #expect(result.ending == .exited(0), "\(result.errors)")
  }

  private func findings(_ document: [String: Any]) throws -> [[String: Any]] {
    try #require(document["findings"] as? [[String: Any]])
  }

  private func verdicts(_ document: [String: Any]) throws -> Set<String> {
    Set(try findings(document).compactMap { $0["verdict"] as? String })
  }

  @Test(arguments: AuditScene.possible)
  func `each verdict is told with its place, as text and as JSON`(scene: AuditScene) async throws {
    let home = try await scene.home()
    let text = try await scene.run([], home)
    #expect(text.ending == .exited(scene.exit), "\(text.output)\(text.errors)")
    let json = try await scene.run(["--format", "json"], home)
    #expect(json.ending == .exited(scene.exit), "\(json.output)\(json.errors)")
    let found = try findings(try document(json))
    if scene.verdict == .ok {
      #expect(found.isEmpty, "\(found)")
      #expect(text.output.hasSuffix("no findings\n"), "\(text.output)")
    } else {
      let own = found.filter {
        $0["verdict"] as? String == scene.verdict.rawValue && $0["file"] as? String == scene.file
      }
      let finding = try #require(own.first, "\(found)")
      #expect(finding["axis"] as? String == scene.verdict.axis.rawValue)
      #expect(finding["model"] as? String == "acme/tiny")
      let severity = try #require(finding["severity"] as? String)
      #expect(severity == scene.verdict.severity.rawValue)
      #expect(
        text.output.contains("\n\(severity): \(scene.verdict.rawValue): acme/tiny"),
        "\(text.output)"
      )
    }
    // The auditor judges, and somebody else acts.
    let words = (text.output + text.errors + json.output + json.errors).lowercased()
    #expect(words.firstMatch(of: /\b(fix|repair)/) == nil)
  }

  @Test(
    .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice),
    arguments: AuditScene.possible
  )
  func `the document of each verdict is as its schema says`(scene: AuditScene) async throws {
    let home = try await scene.home()
    let json = try await scene.run(["--format", "json"], home)
    #expect(json.ending == .exited(scene.exit), "\(json.output)\(json.errors)")
    try await validate(json, home)
  }

  @Test func `every verdict has its scene, and only it`() {
    let shown = AuditScene.all.map { $0.verdict.rawValue }
    #expect(shown.sorted() == AuditVerdict.allCases.map { $0.rawValue }.sorted())
  }

  @Test func `three flipped bytes are three chunks with their places`() async throws {
    let home = try await ConsumerHome.trusting()
    let release = ConsumerRelease(files: ["w.bin": .random(5 << 20)])
    try await home.installed(release)
    try await home.harm(
      """
      chmod u+w $f/w.bin
      for place in 10 2097152 5242879; do
        printf '\\001' | dd of=$f/w.bin bs=1 seek=$place conv=notrunc 2>/dev/null
      done
      """
    )
    let outcome = try await home.run(["audit", "--format", "json"])
    #expect(outcome.ending == .exited(10))
    let modified = try findings(try document(outcome)).filter {
      $0["verdict"] as? String == "modified"
    }
    let chunks = try #require(modified.first?["chunks"] as? [[String: Any]])
    #expect(chunks.map { $0["index"] as? Int } == [0, 2, 4])
    #expect(chunks.map { $0["offset"] as? Int } == [0, 2 << 20, 4 << 20])
    #expect(chunks.allSatisfy { ($0["expectedSha256"] as? String) != $0["foundSha256"] as? String })
  }

  @Test func `a file that was zeroed in place is found, and status and doctor say so too`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(
      "chmod u+w $f/weights.bin; dd if=/dev/zero of=$f/weights.bin bs=150000 count=1 conv=notrunc 2>/dev/null"
    )
    let outcome = try await home.run(["audit", "--format", "json"])
    #expect(outcome.ending == .exited(10))
    let finding = try #require(
      try findings(try document(outcome)).first { $0["verdict"] as? String == "modified" }
    )
    #expect(finding["model"] as? String == "acme/tiny")
    #expect(finding["file"] as? String == "weights.bin")
    let digest = try home.auditRelease().simulated().files.first { $0.path.text == "weights.bin" }
    #expect(finding["expected"] as? String == "SHA-256 \(try #require(digest).entry.sha256.hex)")
    #expect(finding["actual"] as? String == "other bytes in 3 of 3 chunks")
    #expect(try await home.run(["doctor"]).ending == .exited(10))
    #expect(try await home.run(["status", "acme/tiny"]).output.contains("failed"))
  }

  @Test
  func
    `extra, missing and modified files are told apart, and only what is too much can be ignored`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(
      """
      chmod u+w $f $f/* $f/zz; echo x >$f/.gitattributes; rm -f $f/zz/notes.txt
      printf X | dd of=$f/weights.bin bs=1 seek=1 conv=notrunc 2>/dev/null
      """
    )
    let plain = try document(try await home.run(["audit", "--format", "json"]))
    #expect(try verdicts(plain).isSuperset(of: ["extra", "missing", "modified"]))
    let ignoring = try await home.run([
      "audit", "--format", "json", "--ignore", ".git*", "--ignore", "**",
    ])
    #expect(ignoring.ending == .exited(10))
    let left = try document(ignoring)
    #expect(try verdicts(left).isSuperset(of: ["missing", "modified"]))
    #expect(try !verdicts(left).contains("extra"))
    let rules = try #require(left["ignored"] as? [[String: Any]])
    #expect(rules.map { $0["pattern"] as? String } == [".git*", "**"])
    #expect(rules.map { $0["findings"] as? Int } == [1, 0])
    let ended = try await home.run([
      "audit", "--format", "json", "--ignore", "**", "--ignore-until", "2020-01-01T00:00:00Z",
    ])
    #expect(try verdicts(try document(ended)).contains("extra"))
  }

  @Test func `an audit changes nothing in the store and opens no socket`() async throws {
    try #require(try await CallStriker.isAvailable())
    let home = try await ConsumerHome.trusting()
    try await home.damaged("chmod u+w $f; echo x > $f/extra", versions: ["1.0.0", "1.1.0"])
    let striker = try CallStriker(home)
    for mode in [["--full"], ["--quick"], ["--sample", "50%"], ["--direct"]] {
      let outcome = try await striker.run(["audit"] + mode)
      #expect(outcome.ending == .exited(10), "\(outcome.errors)")
      // Locks are only asked for, and leases are none of the store's bytes.
      let changing = try striker.calls().filter(\.changes)
        .filter {
          !["flock", "write", "exit_group"].contains($0.name) && !$0.name.hasPrefix("open")
        }
      #expect(changing == [])
      #expect(try striker.sockets().filter { $0 == AF_INET || $0 == AF_INET6 } == [])
      if mode == ["--quick"] {
        #expect(try striker.calls().filter { $0.name == "pread64" } == [])
      }
    }
  }

  @Test func `a quick audit says what it proves, and sees what was touched`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(
      "chmod u+w $f/weights.bin; printf X | dd of=$f/weights.bin bs=1 conv=notrunc 2>/dev/null; chmod a-w $f/weights.bin"
    )
    let outcome = try await home.run(["audit", "--quick"])
    #expect(outcome.ending == .exited(10))
    #expect(outcome.output.contains("quick: no byte was read"))
    #expect(outcome.output.contains("warning: stampMismatch: acme/tiny 1.0.0"))
    #expect(!outcome.output.contains("modified"))
  }

  @Test func `an audit that is ended by its deadline says where to go on, and goes on there`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.damaged("chmod u+w $f; echo x > $f/extra")
    // After the first bytes, the next ones would have to wait for a day.
    let first = try await home.run([
      "audit", "--format", "json", "--max-rate", "1", "--deadline", "1ms",
    ])
    #expect(first.ending == .exited(8), "\(first.errors)")
    let document = try self.document(first)
    #expect(document["outcome"] as? String == "unfinished")
    let unfinished = try #require(document["unfinished"] as? [String: Any])
    #expect(unfinished["reason"] as? String == "deadline")
    let cursor = try #require(unfinished["cursor"] as? String)
    #expect(first.errors.contains("help: --resume '\(cursor)' goes on there"), "\(first.errors)")
    let second = try await home.run(["audit", "--format", "json", "--resume", cursor])
    #expect(second.ending == .exited(10), "\(second.errors)")
    let rest = try self.document(second)
    #expect(rest["resumedFrom"] as? String == cursor)
    #expect(try verdicts(rest).contains("extra"))
  }

  @Test func `without models it is said that none was checked`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(home.sceneRelease("1.0.0"))
    try FileManager.default.removeItem(atPath: "\(home.store)/models/acme+tiny")
    let text = try await home.run(["audit"])
    #expect(text.ending == .exited(0))
    #expect(text.output.contains("checked 0 models, 0 versions, 0 files"))
    let json = try document(try await home.run(["audit", "--format", "json"]))
    #expect(json["checked"] as? Int == 0)
  }

  @Test func `a store that is not there is no clean one, and nor is a place to go on from`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let absent = try await home.run(["audit"])
    #expect(absent.ending == .exited(3))
    #expect(absent.errors.contains("error: there is no store at \(home.store)"))
    try await home.installed(home.sceneRelease("1.0.0"))
    for place in ["acme/tiny@9.9.9-0123456789abcdef:0.0", "acme/none@1.0.0-0123456789abcdef:0.0"] {
      let outcome = try await home.run(["audit", "--resume", place])
      #expect(outcome.ending == .exited(3), "\(outcome.output)")
      #expect(outcome.errors.contains("there is nothing at \(place) to go on from"))
    }
  }

  @Test func `a record that cannot be read keeps an audit from its end, and no other model`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(": > active.json")
    var other = home.auditRelease()
    other.model = "acme/other"
    try await home.installed(other)
    let outcome = try await home.run(["audit", "--format", "json"])
    #expect(outcome.ending == .exited(8), "\(outcome.errors)")
    let document = try self.document(outcome)
    #expect(document["checked"] as? Int == 2)
    #expect(try verdicts(document).contains("recordDamaged"))
  }

  @Test func `an old record in the place of the present one is told by its generation`()
    async throws
  {
    let scene = try #require(AuditScene.all.first { $0.verdict == .belowFloor })
    let home = try await scene.home()
    try await home.harm("ln -sfn $f current")
    let outcome = try await home.run(["audit", "--format", "json"])
    #expect(outcome.ending == .exited(10))
    let found = try findings(try self.document(outcome))
    #expect(
      found.map { $0["verdict"] as? String } == ["recordMismatch", "belowFloor"]
    )
    #expect(found.first?["expected"] as? String == "generation 2 or later, as the floor says")
    #expect(found.first?["actual"] as? String == "generation 1: an older record")
  }

  @Test func `a file that gives fewer bytes than its size is unreadable`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(":")
    let rule = StrikeRule(.claim(0), "pread64", 1...99)
    let outcome = try await CallStriker(home).run(["audit", "--format", "json"], [rule])
    #expect(outcome.ending == .exited(10), "\(outcome.errors)")
    let found = try findings(try document(outcome)).filter {
      $0["file"] as? String == AuditScene.weights
    }
    #expect(found.map { $0["verdict"] as? String } == ["unreadable"])
  }

  @Test(arguments: ["active.json", "bad.json", "stamps/*"])
  func `a record that is a link hides nothing of what is wrong with files`(record: String)
    async throws
  {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(
      """
      chmod u+w $f/weights.bin
      printf X | dd of=$f/weights.bin bs=1 seek=70000 conv=notrunc 2>/dev/null
      for r in \(record); do ln -sf nowhere "$r"; done
      """
    )
    let outcome = try await home.run(["audit", "--format", "json"])
    #expect(outcome.ending == .exited(8), "\(outcome.errors)")
    let document = try self.document(outcome)
    #expect(try verdicts(document).contains("modified"))
    let unfinished = try #require(document["unfinished"] as? [String: Any])
    #expect(unfinished["reason"] as? String == "failure")
  }

  @Test func `with --json each finding is an event, and all stand in the summary`() async throws {
    let home = try await ConsumerHome.trusting()
    try await home.damaged("rm -f current")
    let outcome = try await home.run(["audit", "--json"])
    #expect(outcome.ending == .exited(10))
    let events = try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let names = events.compactMap { $0["event"] as? String }.filter { $0 != "progress" }
    #expect(
      names == ["audit", "model", "finding", "version", "file", "file", "error", "summary"]
    )
    let summary = try #require(events.last)
    #expect(summary["checked"] as? Int == 1)
    #expect(summary["exit"] as? Int == 10)
    #expect(try findings(summary).map { $0["verdict"] as? String } == ["recordMismatch"])
  }

  @Test(arguments: AuditSceneFormats.all)
  func `a report is written to a file at one instant, and nothing but a word of it elsewhere`(
    format: String
  ) async throws {
    let home = try await ConsumerHome.trusting()
    try await home.damaged(":")
    let path = "\(home.folder)/report"
    _ = try home.write(Array("old".utf8), to: "report")
    let outcome = try await home.run(["audit", "--format", format, "--output", path])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("wrote the report to \(path)"))
    let bytes = try #require(FileManager.default.contents(atPath: path))
    #expect(bytes.count > 10)
    let names = try FileManager.default.contentsOfDirectory(atPath: home.folder)
    #expect(names.filter { $0.hasPrefix("report") } == ["report"])
  }

  @Test(arguments: [
    (["--quick", "--full"], "only one of --full, --quick and --sample can be given"),
    (["--sample", "101%"], "--sample: \"101%\" is no share"),
    (["--sample", "1.234%"], "--sample: \"1.234%\" is no share"),
    (["--seed", "3"], "--seed goes with --sample only"),
    (
      ["--quick", "--direct"],
      "--quick reads no bytes: --direct, --full-hash and --max-rate say nothing beside it"
    ),
    (["--directory", "x"], "--directory and --manifest go together"),
    (
      ["acme/tiny", "--directory", "x", "--manifest", "y"],
      "--directory is judged by --manifest: no MODEL, and no --manifests"
    ),
    (["--format", "pdf"], "--format: \"pdf\" is no format"),
    (["--resume", "x"], "--resume: \"x\" is not a place at which an audit ended"),
    (["--ignore-until", "2026-01-01T00:00:00Z"], "--ignore-until goes with --ignore only"),
    (["--json", "--format", "json"], "--json and --format both want standard output"),
  ])
  func `what says nothing or contradicts itself is refused`(
    options: [String],
    message: String
  ) async throws {
    let outcome = try await ConsumerHome().run(["audit"] + options)
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errors.contains("error: \(message)\n"), "\(outcome.errors)")
  }
}

/// The names of all formats, from the help of the command.
enum AuditSceneFormats {
  static let all = ["text", "json", "ndjson", "sarif", "junit", "csv", "prometheus", "html"]
}
