import Digests
import Manifests
import ReleaseSimulator
import StrictJSON
import Testing
import Trust

/// The documents of a repository come back as they were written, and nothing else is taken for one.
struct RepositoryDocumentsTests {
  private let tiny: ModelName
  private let path: String

  init() throws {
    tiny = try ModelName("tiny")
    path = RepositoryPath.manifest(of: tiny, try Version("1.0.0"))
  }

  private static func object(_ text: String) throws -> JSONObject? {
    guard case .object(let object) = try Samples.document(text) else { return nil }
    return object
  }

  private func digest(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

  @Test func `an entry is the one that the page draws`() throws {
    let entry = ReleaseEntry(
      model: tiny,
      version: try Version("1.0.0"),
      channels: [.stable, try ChannelName("beta")],
      released: try Timestamp("2026-11-30T00:00:00Z")
    )
    #expect(
      String(decoding: JSONWriter.compact(.object(entry.custom)), as: UTF8.self)
        == #"{"channels":["beta","stable"],"model":"tiny","released":"2026-11-30T00:00:00Z","version":"1.0.0"}"#
    )
    #expect(try ReleaseEntry(path: path, custom: entry.custom) == entry)
    let release = try Samples.release().release()
    let own = ReleaseEntry(release, channels: [])
    #expect(own.model == release.model && own.version == release.version)
    #expect(own.released == release.released && own.channels.isEmpty)
    let place = RepositoryPath.manifest(of: release.model, release.version)
    #expect(try ReleaseEntry(path: place, custom: own.custom) == own)
  }

  private static let badEntries: [(custom: String, problem: DocumentProblem)] = [
    ("{}", .shape(JSONShapeError(path: "model", problem: .missing))),
    (
      #"{"model":"other","version":"1.0.0","channels":[],"released":"2026-11-30T00:00:00Z"}"#,
      .unexpected(path: "model", expected: "tiny", found: "other")
    ),
    (
      #"{"model":"tiny","version":"1.0.1","channels":[],"released":"2026-11-30T00:00:00Z"}"#,
      .unexpected(path: "version", expected: "1.0.0", found: "1.0.1")
    ),
    (
      #"{"model":"tiny","version":"1.0.0","channels":["A"],"released":"2026-11-30T00:00:00Z"}"#,
      .text(path: "channels[0]", TextProblem(.channel, "A", .badByte(0x41, offset: 0)))
    ),
    (
      #"{"model":"tiny","version":"1.0.0","channels":[],"released":"today"}"#,
      .text(
        path: "released",
        TextProblem(.timestamp, "today", .badForm(expected: "YYYY-MM-DDTHH:MM:SSZ"))
      )
    ),
  ]

  @Test(arguments: badEntries)
  func `an entry that does not fit its path is refused`(
    custom: String,
    problem: DocumentProblem
  ) throws {
    let object = try Self.object(custom)
    #expect(throws: RepositoryError.document(path: path, problem)) {
      try ReleaseEntry(path: path, custom: object)
    }
  }

  @Test func `an entry without custom is refused, and so is the path of something else`() throws {
    let missing = JSONShapeError(path: "model", problem: .missing)
    #expect(throws: RepositoryError.document(path: path, .shape(missing))) {
      try ReleaseEntry(path: path, custom: nil)
    }
    #expect(throws: RepositoryError.noReleasePath("policy.json")) {
      try ReleaseEntry(path: "policy.json", custom: nil)
    }
  }

  @Test func `members that are not known in an entry are ignored`() throws {
    let custom = try Self.object(
      #"{"model":"tiny","version":"1.0.0","channels":[],"released":"2026-11-30T00:00:00Z","more":{}}"#
    )
    #expect(try ReleaseEntry(path: path, custom: custom).channels.isEmpty)
  }

  @Test func `a policy comes back from its payload, which has a type of its own`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = RepositoryPolicy(version: 3, policy: try .trusting([a], for: "tiny"))
    #expect(try RepositoryPolicy(payload: policy.encode()) == policy)
    #expect(policy.envelope().payload == policy.encode())
    #expect(policy.envelope().payloadType == "application/vnd.sealift.repository-policy+json")
    #expect(!policy.envelope().isStatement)
    #expect(
      String(decoding: policy.encode(), as: UTF8.self).hasSuffix(
        #""schema":"sealift.repository-policy/1","version":3}"#
      )
    )
  }

  @Test func `what is no policy of a repository is refused with the place`() throws {
    func refusal(_ text: String) -> RepositoryError? {
      do throws(RepositoryError) {
        _ = try RepositoryPolicy(payload: Array(text.utf8))
        return nil
      } catch {
        return error
      }
    }
    func document(_ problem: DocumentProblem) -> RepositoryError {
      .document(path: "policy.json", problem)
    }
    #expect(
      refusal("{]") == document(.syntax(JSONSyntaxError(offset: 1, problem: .unexpectedByte(0x5D))))
    )
    #expect(
      refusal(#"{"schema":"sealift.trust/1"}"#)
        == document(
          .unexpected(
            path: "schema",
            expected: "sealift.repository-policy/1",
            found: "sealift.trust/1"
          )
        )
    )
    let schema = #""schema":"sealift.repository-policy/1""#
    #expect(
      refusal(#"{\#(schema),"version":0,"policy":{}}"#)
        == document(
          .shape(
            JSONShapeError(path: "version", problem: .outOfRange(0, allowed: 1...(1 << 53 - 1)))
          )
        )
    )
    #expect(
      refusal(#"{\#(schema),"version":1,"policy":{}}"#)
        == .badPolicy(.badPolicy(place: "schema", problem: "is missing"))
    )
  }

  @Test func `withdrawn releases come back, sorted, and are found by version and by manifest`()
    throws
  {
    let time = try Timestamp("2026-12-01T00:00:00Z")
    func release(_ model: String, _ version: String) throws -> WithdrawnRelease {
      WithdrawnRelease(
        model: try ModelName(model),
        version: try Version(version),
        manifest: digest(model + version),
        reason: "wrong \"tokenizer\"",
        time: time
      )
    }
    let releases = [
      try release("b", "1.0.0"), try release("a", "10.0.0"), try release("a", "9.0.0"),
    ]
    var all = WithdrawnReleases()
    for release in releases { all = try all.adding(release) }
    #expect(all.releases == [releases[2], releases[1], releases[0]])
    #expect(try WithdrawnReleases(parsing: all.encode()) == all)
    #expect(try WithdrawnReleases(parsing: WithdrawnReleases().encode()) == WithdrawnReleases())
    #expect(all.release(try ModelName("a"), try Version("9.0.0")) == releases[2])
    #expect(all.release(try ModelName("b"), try Version("9.0.0")) == nil)
    #expect(all.release(of: digest("b1.0.0")) == releases[0])
    #expect(all.release(of: digest("other")) == nil)
    #expect(throws: RepositoryError.alreadyWithdrawn(try ModelName("a"), try Version("9.0.0"))) {
      try all.adding(releases[2])
    }
  }

  @Test func `the list of withdrawn releases is the one that the page draws`() throws {
    let list = try WithdrawnReleases().adding(
      WithdrawnRelease(
        model: tiny,
        version: try Version("1.1.0"),
        manifest: digest(""),
        reason: "lost",
        time: try Timestamp("2026-12-01T00:00:00Z")
      )
    )
    let expected =
      #"{"releases":[{"manifestSha256":"\#(digest("").hex)","model":"tiny","reason":"lost","version":"1.1.0","#
      + #""withdrawn":"2026-12-01T00:00:00Z"}],"schema":"sealift.withdrawn/1"}"#
    #expect(String(decoding: list.encode(), as: UTF8.self) == expected)
  }

  @Test func `a release that is withdrawn twice makes no list`() throws {
    let row =
      #"{"manifestSha256":"\#(digest("").hex)","model":"tiny","reason":"","version":"1.0.0","withdrawn":"2026-12-01T00:00:00Z"}"#
    let text = #"{"schema":"sealift.withdrawn/1","releases":[\#(row),\#(row)]}"#
    let expected = RepositoryError.repeatedRelease(
      path: "withdrawn.json",
      tiny,
      try Version("1.0.0")
    )
    #expect(throws: expected) { try WithdrawnReleases(parsing: Array(text.utf8)) }
    let other = DocumentProblem.unexpected(
      path: "schema",
      expected: "sealift.withdrawn/1",
      found: "sealift.withdrawn/2"
    )
    #expect(throws: RepositoryError.document(path: "withdrawn.json", other)) {
      try WithdrawnReleases(parsing: Array(#"{"schema":"sealift.withdrawn/2","releases":[]}"#.utf8))
    }
  }

  private func row(_ version: String) throws -> ModelIndex.Row {
    ModelIndex.Row(
      entry: ReleaseEntry(
        model: tiny,
        version: try Version(version),
        channels: [.stable],
        released: try Timestamp("2026-11-30T00:00:00Z")
      ),
      digest: digest(version)
    )
  }

  @Test func `an index comes back, sorted by version, and is about one model`() throws {
    let index = try ModelIndex(model: tiny, rows: ["10.0.0", "9.0.0"].map(row))
    #expect(index.rows.map(\.entry.version.text) == ["9.0.0", "10.0.0"])
    #expect(try ModelIndex(parsing: index.encode(), of: tiny) == index)
    let expected =
      #"{"model":"tiny","releases":[{"channels":["stable"],"released":"2026-11-30T00:00:00Z","sha256":"\#(digest("1.0.0").hex)","#
      + #""version":"1.0.0"}],"schema":"sealift.index/1"}"#
    let one = try ModelIndex(model: tiny, rows: [row("1.0.0")])
    #expect(String(decoding: one.encode(), as: UTF8.self) == expected)
    let other = try ModelName("other")
    let problem = DocumentProblem.unexpected(path: "model", expected: "other", found: "tiny")
    #expect(throws: RepositoryError.document(path: "index/other.json", problem)) {
      try ModelIndex(parsing: index.encode(), of: other)
    }
    #expect(
      throws: RepositoryError.repeatedRelease(path: "index/tiny.json", tiny, try Version("1.0.0"))
    ) { try ModelIndex(model: tiny, rows: ["1.0.0", "1.0.0"].map(row)) }
  }
}
