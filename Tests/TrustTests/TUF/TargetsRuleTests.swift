import Digests
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 5.6.1–6: the targets role, and delegated roles by the same rule.
struct TargetsRuleTests {
  /// Which role is changed: the one at the top, or one that is delegated.
  enum Subject: CaseIterable {
    case top, delegated
    var role: RoleName { self == .top ? .targets : TrustTests.role("d") }
    var file: String { role.requestName(version: 2) }
  }

  private static let sought = path("d/x")

  private func judge(
    _ change: (inout RepositorySimulator) throws -> Void
  ) throws -> (refusal: MetadataRefusal?, client: SimulatedClient) {
    var repository = try RepositorySimulator.withSeparateKeys()
    try repository.delegate(
      to: "d",
      .paths([PathPattern("d/*")]),
      targets: [Self.sought: TargetFile(of: [1])]
    )
    try repository.publish()
    var client = SimulatedClient(pin: repository.pin)
    let before = try client.refresh(repository)
    _ = try client.find(Self.sought, in: before, of: repository)
    client.forgetRequests()
    try change(&repository)
    let refusal = refusal { () throws(MetadataRefusal) in
      let metadata = try client.refresh(repository)
      _ = try client.find(Self.sought, in: metadata, of: repository)
    }
    return (refusal, client)
  }

  private static func release(_ repository: inout RepositorySimulator) throws {
    repository[role("d")].header.version = 2
    try repository.release()
  }

  @Test func `both are kept when they pass`() throws {
    let (refusal, client) = try judge(Self.release)
    #expect(refusal == nil)
    #expect(
      client.requests
        == ["2.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json", "2.d.json"]
    )
    #expect(client.stored.versions["targets"] == 2)
  }

  @Test(arguments: Subject.allCases)
  func `bytes that are not those that the snapshot lists are refused`(
    subject: Subject
  ) throws {
    let (refusal, client) = try judge {
      try Self.release(&$0)
      $0.replace("1.0.34", with: "1.0.33", in: subject.file)
    }
    #expect(
      refusal
        == MetadataRefusal(section: "5.6.2", role: subject.role, .wrongDigest(algorithm: "sha256"))
    )
    #expect(client.stored.versions["snapshot"] == 2)
    #expect(client.stored.versions["targets"] == (subject == .top ? 1 : 2))
  }

  @Test(arguments: Subject.allCases, [RoleName.root, .timestamp, .snapshot])
  func `no key but those of the role sign it`(subject: Subject, other: RoleName) throws {
    let (refusal, _) = try judge {
      $0.signers[subject.role] = $0.signers[other]
      try Self.release(&$0)
    }
    #expect(refusal?.section == "5.6.3" && refusal?.kind == .signatures)
    #expect(refusal?.role == subject.role)
  }

  @Test func `the keys of the delegator sign nothing for the delegated role`() throws {
    let (refusal, _) = try judge {
      $0.signers[role("d")] = $0.signers[.targets]
      try Self.release(&$0)
    }
    #expect(refusal?.section == "5.6.3" && refusal?.role == role("d"))
  }

  @Test(arguments: Subject.allCases)
  func `the file has the version that the snapshot lists`(subject: Subject) throws {
    let (refusal, _) = try judge {
      try Self.release(&$0)
      let file = $0.files[subject.file] ?? []
      $0.snapshot.files[subject.role] = FileFacts(version: 3, of: file)
      $0.files[subject.role.requestName(version: 3)] = file
      try $0.publishSnapshot()
    }
    #expect(
      refusal
        == MetadataRefusal(
          section: "5.6.4",
          role: subject.role,
          .wrongVersion(found: 2, expected: 3)
        )
    )
  }

  @Test(arguments: Subject.allCases) func `an expired file is refused`(subject: Subject) throws {
    let now = RepositorySimulator.now
    let (refusal, _) = try judge {
      $0[subject.role].header.expires = now
      try Self.release(&$0)
    }
    #expect(
      refusal == MetadataRefusal(section: "5.6.5", role: subject.role, .expired(now, now: now))
    )
  }

  @Test(arguments: Subject.allCases)
  func `a role that the snapshot does not list is refused without a request`(
    subject: Subject
  ) throws {
    var repository = try RepositorySimulator()
    try repository.delegate(to: "d", .paths([PathPattern("d/*")]))
    try repository.publish()
    repository.snapshot.files[subject.role] = nil
    try repository.publishSnapshot()
    var client = SimulatedClient(pin: repository.pin)
    let refusal = refusal { () throws(MetadataRefusal) in
      let metadata = try client.refresh(repository)
      _ = try client.find(Self.sought, in: metadata, of: repository)
    }
    #expect(refusal == MetadataRefusal(section: "5.6.1", role: subject.role, .unlisted))
    #expect(!client.requests.contains(subject.role.requestName(version: 1)))
  }

  @Test(arguments: Subject.allCases, [MetadataResponse.absent, .tooLong])
  func `a file that cannot be had ends the run`(subject: Subject, answer: MetadataResponse) throws {
    let (refusal, _) = try judge {
      try Self.release(&$0)
      $0.answers[subject.file] = answer
    }
    #expect(refusal?.section == "5.6.1" && refusal?.role == subject.role)
  }

  @Test(arguments: Subject.allCases) func `a file that is listed as too long is not asked for`(
    subject: Subject
  ) throws {
    let (refusal, client) = try judge {
      try Self.release(&$0)
      $0.snapshot.files[subject.role]?.length = 5_000_001
      try $0.publishSnapshot()
    }
    #expect(refusal?.problem == .listedTooLong(5_000_001, limit: 5_000_000))
    #expect(!client.requests.contains(subject.file))
  }

  @Test func `rotating the keys of targets takes a new file that they sign`() throws {
    let (refusal, _) = try judge {
      $0.root.targets = RoleKeys([try SimulatedKey("t2")])
      $0.root.keys.insert(try SimulatedKey("t2").listed)
      try $0.releaseRoot()
    }
    #expect(refusal?.section == "5.6.3" && refusal?.role == .targets)
    let (none, client) = try judge {
      try $0.rotate(.targets, to: [try SimulatedKey("t2")])
      try $0.release()
    }
    #expect(none == nil && client.stored.versions["targets"] == 2)
  }

  @Test(
    arguments: [
      ([], MetadataProblem.wrongLength(found: 0, expected: 3)),
      ([1, 2, 3, 4], .wrongLength(found: 4, expected: 3)),
      ([1, 2, 4], .wrongDigest(algorithm: "sha256")),
    ] as [([UInt8], MetadataProblem)]
  )
  func `a target has the listed length and digests`(bytes: [UInt8], problem: MetadataProblem) {
    let file = TargetFile(of: [1, 2, 3])
    #expect(
      refusal { () throws(MetadataRefusal) in try file.check([1, 2, 3], path: Self.sought) } == nil
    )
    let refusal = refusal { () throws(MetadataRefusal) in try file.check(bytes, path: Self.sought) }
    #expect(
      refusal
        == MetadataRefusal(section: "5.7.3", role: .targets, target: Self.sought, problem)
    )
    #expect(refusal?.description.hasPrefix("refused (TUF 5.7.3): d/x has ") == true)
  }

  @Test func `every known digest of a target is compared, and one is needed`() {
    let bytes: [UInt8] = [1, 2, 3]
    var hashes = FileHashes(sha256: SHA256Digest(of: bytes), sha512: SHA512Digest(of: bytes))
    func judge() -> MetadataProblem? {
      let file = TargetFile(length: 3, hashes: hashes)
      return refusal { () throws(MetadataRefusal) in try file.check(bytes, path: Self.sought) }?
        .problem
    }
    #expect(judge() == nil)
    hashes.sha256 = SHA256Digest.ofNothing
    #expect(judge() == .wrongDigest(algorithm: "sha256"))
    hashes.sha256 = nil
    #expect(judge() == nil)
    hashes.sha512 = SHA512Digest(of: [])
    #expect(judge() == .wrongDigest(algorithm: "sha512"))
    hashes.sha512 = nil
    hashes.others = ["blake2b": "00"]
    #expect(judge() == .noKnownDigest)
  }
}
