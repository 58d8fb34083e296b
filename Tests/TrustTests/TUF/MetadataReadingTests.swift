import Digests
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 4.2–4.6: what a file of metadata must be before anybody looks at its signatures.
struct MetadataReadingTests {
  private static func read(_ text: String, as type: RoleName = .root) -> MetadataRefusal? {
    let bytes = Array(text.utf8)
    return refusal { () throws(MetadataRefusal) in
      switch type {
      case .root: _ = try SignedRoot(parsing: bytes, as: type, limit: 512_000)
      case .timestamp: _ = try SignedTimestamp(parsing: bytes, as: type, limit: 16_384)
      case .snapshot: _ = try SignedSnapshot(parsing: bytes, as: type, limit: 2_000_000)
      default: _ = try SignedTargets(parsing: bytes, as: type, limit: 5_000_000)
      }
    }
  }

  private static func text(_ name: String) throws -> String {
    var repository = try RepositorySimulator()
    let a = path("a")
    repository.targets.targets[a] = TargetFile(of: [1], custom: ["k": 1])
    try repository.delegate(to: "role", .paths([PathPattern("x/*")]))
    try repository.publish()
    return String(decoding: repository.files[name] ?? [], as: UTF8.self)
  }

  @Test(arguments: [
    "", " ", "null", "[]", "{}", "1", "\"\"", "{\"signed\":{}}", "{\"signatures\":[]}",
    "{\"signed\":null,\"signatures\":[]}", "{\"signed\":[],\"signatures\":[]}",
    "{\"signed\":{},\"signatures\":{}}", "{\"signed\":{},\"signatures\":[null]}",
    "{\"signed\":{},\"signatures\":[{}]}",
    "{\"signed\":{},\"signatures\":[{\"keyid\":1,\"sig\":\"\"}]}",
    "{\"signed\":{},\"signatures\":[{\"keyid\":\"\",\"sig\":null}]}",
    "{\"signed\":{\"_type\":\"root\"",
    String(repeating: "[", count: 200_000), "{\"a\":" + String(repeating: "1", count: 10_000) + "}",
    "\u{FEFF}{}", "{\"signed\":{},\"signed\":{},\"signatures\":[]}",
    "{\"signed\":{\"version\":1.5},\"signatures\":[]}", "{\"a\":\"\\ud800\"}", "{\"a\":1,}",
    "{\"a\":\"\\u+123\"}", "{\"a\":-0}", "{\"a\":1e2}",
  ])
  func `what is no file of metadata is refused and crashes nothing`(text: String) {
    for type in [RoleName.root, .timestamp, .snapshot, .targets, role("delegated")] {
      let refusal = Self.read(text, as: type)
      #expect(refusal?.kind == .malformed)
      #expect(refusal?.role == type)
    }
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    let bytes = Array("{\"signatures\":[],\"signed\":{\"a\":\"".utf8) + [0xFF, 0x22, 0x7D, 0x7D]
    let refusal = refusal { () throws(MetadataRefusal) in
      try SignedRoot(parsing: bytes, as: .root, limit: 512_000)
    }
    #expect(refusal?.kind == .malformed)
  }

  /// A file with one thing wrong: what stands in a good one, and what stands there instead.
  struct Fault: Sendable, CustomTestStringConvertible {
    let file: String
    let good: String
    let bad: String
    init(_ file: String, _ good: String, _ bad: String) {
      (self.file, self.good, self.bad) = (file, good, bad)
    }
    var testDescription: String { "\(file): \(bad)" }
  }

  static let headerFaults = ["1.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"]
    .flatMap { file in
      [
        ("\"version\":1}}", "\"version\":0}}"), ("\"version\":1}}", "\"version\":-1}}"),
        ("\"version\":1}}", "\"version\":\"1\"}}"), ("\"version\":1}}", "\"version\":true}}"),
        ("\"version\":1}}", "\"version\":1.0}}"), ("\"version\":1}}", "\"version\":null}}"),
        ("\"version\":1}}", "\"version\":9223372036854775808}}"),
        ("\"version\":1}}", "\"version\":01}}"), ("\"version\":1}}", "\"Version\":1}}"),
        ("\"version\":1}}", "\"version\":1,\"version\":1}}"),
        ("\"spec_version\":\"1.0.34\"", "\"spec_version\":\"2.0.0\""),
        ("\"spec_version\":\"1.0.34\"", "\"spec_version\":\"1\""),
        ("\"spec_version\":\"1.0.34\"", "\"spec_version\":\"1.\""),
        ("\"spec_version\":\"1.0.34\"", "\"spec_version\":\"1.0.0.0\""),
        ("\"spec_version\":\"1.0.34\"", "\"spec_version\":\"1.x\""),
        ("\"spec_version\":\"1.0.34\"", "\"spec_version\":1"),
        ("\"spec_version\":\"1.0.34\"", "\"spec\":\"1.0.34\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":\"2027-02-30T08:00:00Z\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":\"2027-02-14T24:00:00Z\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":\"2027-02-14T08:00:00+01:00\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":\"2027-02-14T08:00:00.5Z\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":\"2027-02-14 08:00:00Z\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":\"\u{0662}027-02-14T08:00:00Z\""),
        ("\"expires\":\"2027-02-14T08:00:00Z\"", "\"expires\":1"),
        ("\"_type\":", "\"type\":"), ("\"_type\":\"", "\"_type\":\"x"),
        ("\"signed\":{", "\"signed\":{\"x\":1.0,"),
        ("\"signed\":{", "\"signed\":{\"caf\u{E9}\":1,\"cafe\u{301}\":1,"),
      ].map { Fault(file, $0.0, $0.1) }
    }

  static let faults: [Fault] = [
    Fault("1.root.json", "\"consistent_snapshot\":true", "\"consistent_snapshot\":1"),
    Fault("1.root.json", "\"consistent_snapshot\":true", "\"consistent_snapshot\":null"),
    Fault("1.root.json", "\"keys\":{", "\"keyz\":{"),
    Fault("1.root.json", "\"keys\":{", "\"keys\":{\"a\":null,"),
    Fault("1.root.json", "\"keys\":{", "\"keys\":{\"a\":\"\","),
    Fault("1.root.json", "\"snapshot\":{\"keyids\"", "\"snapshop\":{\"keyids\""),
    Fault("1.root.json", "\"snapshot\":{\"keyids\":[", "\"snapshot\":{\"keyids\":[1,"),
    Fault("1.root.json", "\"snapshot\":{\"keyids\":", "\"snapshot\":{\"keyidz\":"),
    Fault("timestamp.json", "\"snapshot.json\":", "\"snapshot\":"),
    Fault("timestamp.json", "\"meta\":{", "\"meta\":[],\"m\":{"),
    Fault("timestamp.json", "\"hashes\":{\"sha256\":\"", "\"hashes\":{\"sha256\":\"A"),
    Fault("timestamp.json", "\"hashes\":{", "\"hashes\":{},\"h\":{"),
    Fault("timestamp.json", "\"hashes\":{", "\"hashes\":null,\"h\":{"),
    Fault("timestamp.json", "\"hashes\":{", "\"hashes\":{\"sha512\":\"00\","),
    Fault("timestamp.json", "\"length\":", "\"length\":-"),
    Fault("timestamp.json", "\"length\":", "\"length\":null,\"l\":"),
    Fault("1.snapshot.json", "\"targets.json\":{", "\"targets.json\":[],\"t\":{"),
    Fault("1.snapshot.json", "\"role.json\":{", "\"role.json\":{\"version\":0},\"t\":{"),
    Fault("1.targets.json", "\"targets\":{\"a\"", "\"targets\":{\"\""),
    Fault("1.targets.json", "\"custom\":{\"k\":1}", "\"custom\":[]"),
    Fault("1.targets.json", "\"custom\":{\"k\":1}", "\"custom\":null"),
    Fault("1.targets.json", "\"length\":1}", "\"length\":1.0}"),
    Fault("1.targets.json", "\"length\":1}", "\"lenght\":1}"),
    Fault("1.targets.json", "\"length\":1}", "\"length\":-1}"),
    Fault("1.targets.json", "\"hashes\":{", "\"hashes\":{},\"x\":{"),
    Fault("1.targets.json", "\"targets\":{", "\"target\":{"),
    Fault("1.targets.json", "\"delegations\":{", "\"delegations\":null,\"d\":{"),
    Fault("1.targets.json", "\"roles\":[{", "\"rolez\":[{"),
    Fault("1.targets.json", "\"roles\":[{", "\"succinct_roles\":{},\"roles\":[{"),
    Fault("1.targets.json", "\"name\":\"role\"", "\"name\":\"\""),
    Fault("1.targets.json", "\"name\":\"role\"", "\"name\":\"targets\""),
    Fault("1.targets.json", "\"name\":\"role\"", "\"name\":\"root\""),
    Fault("1.targets.json", "\"terminating\":false", "\"terminating\":0"),
    Fault("1.targets.json", "\"terminating\":false", "\"terminate\":false"),
    Fault("1.targets.json", "\"paths\":[", "\"path_hash_prefixes\":[],\"paths\":["),
    Fault("1.targets.json", "\"paths\":[", "\"path\":["),
    Fault("1.targets.json", "\"paths\":[", "\"paths\":[1,"),
  ]

  @Test(arguments: headerFaults + faults)
  func `one thing wrong makes the file malformed`(fault: Fault) throws {
    let good = try Self.text(fault.file)
    let parts = fault.file.split(separator: ".")
    let type = role(String(parts[parts.count - 2]))
    #expect(Self.read(good, as: type) == nil)
    let bad = good.replacing(fault.good, with: fault.bad)
    #expect(bad != good)
    #expect(Self.read(bad, as: type)?.kind == .malformed)
  }

  /// CVE-2026-23992.
  @Test(arguments: ["0", "-1", "1.0", "true", "\"1\"", "null", "[]", "{}", "1e0"])
  func `a threshold is an integer of at least 1, in a root and in a delegation`(
    value: String
  ) throws {
    for (file, type) in [("1.root.json", RoleName.root), ("1.targets.json", .targets)] {
      let good = try Self.text(file)
      let bad = good.replacing("\"threshold\":1", with: "\"threshold\":\(value)")
      #expect(bad != good && Self.read(good, as: type) == nil)
      #expect(Self.read(bad, as: type)?.kind == .malformed)
    }
  }

  /// CVE-2020-6174 and its kin, 4.2.1.
  @Test func `two signatures under one name refuse the file even if the threshold is met`() throws {
    let repository = try RepositorySimulator()
    let good = String(decoding: repository.pin, as: UTF8.self)
    let key = repository.signers[.root]?.first?.id ?? KeyID("")
    let bad = good.replacing(
      "\"signatures\":[",
      with: "\"signatures\":[{\"keyid\":\"\(key.text)\",\"sig\":\"00\"},"
    )
    let refusal = Self.read(bad)
    #expect(refusal?.problem == .repeatedSignature(key))
    #expect(refusal?.section == "4.2.1")
  }

  @Test(arguments: ["", ",\"sig\":null", ",\"sig\":1", ",\"sig\":{}", ",\"sig\":\"zz\""])
  func `a misshapen signature spoils no threshold that is met`(member: String) throws {
    let repository = try RepositorySimulator()
    let text = String(decoding: repository.pin, as: UTF8.self)
      .replacing("\"signatures\":[", with: "\"signatures\":[{\"keyid\":\"x\"\(member)},")
    let root = try SignedRoot(parsing: Array(text.utf8), as: .root, limit: 512_000)
    #expect(root.signatures.count == 2 && root.signatures[0].bytes?.isEmpty != false)
    let keys = root.contents
    #expect(keys[.root].map { $0.count(root, keys: keys.keys).isMet } == true)
  }

  /// Each key may cost a verification of the whole file.
  @Test func `a role names at most 256 keys, in a root and in a delegation`() throws {
    for (file, type) in [("1.root.json", RoleName.root), ("1.targets.json", .targets)] {
      let good = try Self.text(file)
      for (more, isRead) in [(255, true), (256, false)] {
        let names = String(repeating: "\"x\",", count: more)
        let text = good.replacing("\"keyids\":[", with: "\"keyids\":[\(names)")
        let refusal = Self.read(text, as: type)
        guard !isRead else {
          #expect(refusal == nil)
          continue
        }
        guard case .badForm(_, "at most 256 names")? = refusal?.problem else {
          Issue.record("another refusal: \(String(describing: refusal))")
          continue
        }
      }
    }
  }

  @Test func `the name of a delegated role has a limit`() throws {
    let good = try Self.text("1.targets.json")
    for (count, problem) in [
      (1_024, nil),
      (
        1_025,
        MetadataProblem.badForm(
          path: "signed.delegations.roles[0].name",
          expected: "at most 1024 bytes"
        )
      ),
    ] {
      let name = String(repeating: "a", count: count)
      let text = good.replacing("\"name\":\"role\"", with: "\"name\":\"\(name)\"")
      #expect(Self.read(text, as: .targets)?.problem == problem)
    }
  }

  @Test func `the prefix of bins has a limit`() throws {
    let repository = try RepositorySimulator.withBins(bitLength: 1)
    let good = String(decoding: repository.files["1.targets.json"] ?? [], as: UTF8.self)
    for (count, problem) in [
      (1_015, nil),
      (
        1_016,
        MetadataProblem.badForm(
          path: "signed.delegations.succinct_roles.name_prefix",
          expected: "at most 1015 bytes"
        )
      ),
    ] {
      let prefix = String(repeating: "a", count: count)
      let text = good.replacing("\"name_prefix\":\"bin\"", with: "\"name_prefix\":\"\(prefix)\"")
        .replacing("\"bit_length\":1", with: "\"bit_length\":32")
      #expect(text != good && Self.read(text, as: .targets)?.problem == problem)
      guard problem == nil else { continue }
      let targets = try SignedTargets(parsing: Array(text.utf8), as: .targets, limit: 5_000_000)
      let bin = try #require(targets.contents.delegations?.matching(path("f")).first)
      #expect(bin.name.text.utf8.count == 1_024)
    }
  }

  @Test func `two delegated roles of one name are refused`() throws {
    let good = try Self.text("1.targets.json")
    let start = try #require(good.range(of: "\"roles\":[")).upperBound
    let end = try #require(good.range(of: "]}", in: start)).lowerBound
    let entry = String(good[start..<end])
    let twice = good.replacing(entry, with: entry + "," + entry)
    #expect(
      Self.read(twice, as: .targets)?.problem
        == .badRoleName(path: "signed.delegations.roles[1].name", found: "role")
    )
  }

  @Test(arguments: ["bit_length\":0", "bit_length\":33", "bit_length\":true", "bits\":4"])
  func `bins are numbered by 1 to 32 bits`(text: String) throws {
    let repository = try RepositorySimulator.withBins(bitLength: 4)
    let good = String(decoding: repository.files["1.targets.json"] ?? [], as: UTF8.self)
    #expect(Self.read(good, as: .targets) == nil)
    let bad = good.replacing("bit_length\":4", with: text)
    #expect(Self.read(bad, as: .targets)?.kind == .malformed)
  }

  @Test func `a file above its limit is not read`() throws {
    let bytes = try RepositorySimulator().pin
    let refusal = refusal { () throws(MetadataRefusal) in
      try SignedRoot(parsing: bytes, as: .root, limit: bytes.count - 1)
    }
    #expect(
      refusal?.problem
        == .syntax(
          JSONSyntaxError(offset: bytes.count - 1, problem: .tooLarge(limit: bytes.count - 1))
        )
    )
    #expect(throws: Never.self) { try SignedRoot(parsing: bytes, as: .root, limit: bytes.count) }
  }

  @Test func `each refusal says what is wrong in one safe line`() throws {
    let good = try Self.text("1.root.json")
    let bad = good.replacing("\"spec_version\":\"1.0.34\"", with: "\"spec_version\":\"\\u001b[2J\"")
    let refusal = try #require(Self.read(bad))
    #expect(
      refusal.description
        == #"refused (TUF 4.3): root is malformed: signed.spec_version must be 1.x.y, not "\u{1b}[2J""#
    )
  }
}

extension StringProtocol {
  /// Finds a text at or behind a place.
  fileprivate func range(of text: String, in start: Index? = nil) -> Range<Index>? {
    self[(start ?? startIndex)...].firstRange(of: text)
  }
}
