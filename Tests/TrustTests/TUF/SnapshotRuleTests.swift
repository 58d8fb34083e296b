import Digests
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 5.5: the snapshot.
struct SnapshotRuleTests {
  /// What a client at version 5 of everything says after a change, whose timestamp is always good.
  private func judge(
    _ change: (inout RepositorySimulator) throws -> Void
  ) throws -> (refusal: MetadataRefusal?, client: SimulatedClient) {
    var repository = try RepositorySimulator.withSeparateKeys()
    try repository.delegate(to: "a", .paths([PathPattern("a/*")]))
    for _ in 1...4 { try repository.release() }
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    client.forgetRequests()
    try change(&repository)
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    if refusal != nil {
      // The timestamp has passed its checks and stays; the snapshot of before stays too.
      #expect(client.stored.versions["timestamp"] == 6)
      #expect(client.stored.versions["snapshot"] == 5)
      #expect(client.stored.versions["targets"] == 5)
    }
    return (refusal, client)
  }

  @Test func `bytes that differ from the digest are refused before their signatures are looked at`()
    throws
  {
    let (refusal, _) = try judge {
      try $0.release()
      $0.replace("signatures", with: "signaturez", in: "6.snapshot.json")
    }
    #expect(
      refusal
        == MetadataRefusal(section: "5.5.2", role: .snapshot, .wrongDigest(algorithm: "sha256"))
    )
    #expect(refusal?.kind == .wrongBytes)
  }

  /// Mix and match: the file of another publication.
  @Test func `another length than the timestamp names is refused`() throws {
    let (refusal, _) = try judge {
      try $0.release()
      let bytes = $0.files["6.snapshot.json"] ?? []
      $0.files["6.snapshot.json"] = bytes.dropLast()
    }
    #expect(refusal?.section == "5.5.2")
    guard case .wrongLength? = refusal?.problem else {
      Issue.record("not the length: \(String(describing: refusal))")
      return
    }
  }

  @Test func `every known digest is compared`() throws {
    let (refusal, _) = try judge {
      try $0.release()
      $0.timestamp.snapshot.hashes?.sha512 = SHA512Digest(of: [])
      try $0.publishTimestamp()
    }
    #expect(refusal?.problem == .wrongDigest(algorithm: "sha512"))
    let (none, _) = try judge {
      try $0.release()
      $0.timestamp.snapshot.hashes?.sha512 = SHA512Digest(of: $0.files["6.snapshot.json"] ?? [])
      try $0.publishTimestamp()
    }
    #expect(none == nil)
  }

  @Test func `digests of unknown kinds alone prove nothing and are refused`() throws {
    let (refusal, _) = try judge {
      try $0.release()
      $0.timestamp.snapshot.hashes = FileHashes(sha256: nil)
      $0.timestamp.snapshot.hashes?.others = ["md5": "00"]
      try $0.publishTimestamp()
    }
    #expect(refusal == MetadataRefusal(section: "5.5.2", role: .snapshot, .noKnownDigest))
  }

  @Test(arguments: [RoleName.root, .timestamp, .targets])
  func `no key but that of the snapshot signs one`(other: RoleName) throws {
    let (refusal, _) = try judge {
      $0.signers[.snapshot] = $0.signers[other]
      try $0.release()
    }
    #expect(refusal?.section == "5.5.3" && refusal?.kind == .signatures)
  }

  @Test func `the snapshot has the version that the timestamp names`() throws {
    let (refusal, _) = try judge {
      try $0.release()
      $0.timestamp.snapshot.version = 7
      $0.files["7.snapshot.json"] = $0.files["6.snapshot.json"]
      try $0.publishTimestamp()
    }
    #expect(
      refusal
        == MetadataRefusal(section: "5.5.4", role: .snapshot, .wrongVersion(found: 6, expected: 7))
    )
  }

  @Test func `a role's version never falls, and no role ever vanishes`() throws {
    let (fallen, _) = try judge {
      $0.targets.header.version = 3
      try $0.release()
    }
    #expect(
      fallen
        == MetadataRefusal(
          section: "5.5.5",
          role: .snapshot,
          .listedRollback(.targets, found: 4, trusted: 5)
        )
    )
    let (gone, _) = try judge {
      $0.delegated = [:]
      $0.targets.delegations = nil
      try $0.release()
    }
    #expect(gone == MetadataRefusal(section: "5.5.5", role: .snapshot, .vanished(role("a"))))
    #expect(gone?.kind == .rollback)
  }

  @Test func `the stored snapshot binds even where the timestamp names another by now`() throws {
    var repository = try RepositorySimulator.withSeparateKeys()
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    var lost = repository
    try lost.release()
    lost.answers["3.snapshot.json"] = .absent
    #expect(refusal { () throws(MetadataRefusal) in try client.refresh(lost) }?.section == "5.5.1")
    // The timestamp is at 3 now, the snapshot at 2.
    lost.answers = [:]
    lost.targets.header.version = 1
    lost.snapshot.header.version = 4
    lost.timestamp.header.version = 4
    try lost.publish()
    #expect(refusal { () throws(MetadataRefusal) in try client.refresh(lost) }?.section == "5.5.5")
  }

  @Test func `an expired snapshot is refused and not kept`() throws {
    let now = RepositorySimulator.now
    let (refusal, _) = try judge {
      $0.snapshot.header.expires = now
      try $0.release()
    }
    #expect(
      refusal == MetadataRefusal(section: "5.5.6", role: .snapshot, .expired(now, now: now))
    )
  }

  @Test(arguments: [MetadataResponse.absent, .tooLong])
  func `a snapshot that cannot be had ends the run`(answer: MetadataResponse) throws {
    let (refusal, client) = try judge {
      try $0.release()
      $0.answers["6.snapshot.json"] = answer
    }
    #expect(refusal?.section == "5.5.1")
    #expect(client.requests.last == "6.snapshot.json")
  }

  @Test func `no more is asked for than is listed, and nothing that is listed as too long`() throws
  {
    let (refusal, client) = try judge {
      try $0.release()
      $0.timestamp.snapshot.length = 2_000_001
      try $0.publishTimestamp()
    }
    #expect(refusal?.problem == .listedTooLong(2_000_001, limit: 2_000_000))
    #expect(refusal?.kind == .limit)
    #expect(client.requests.last == "timestamp.json")
  }

  /// 5.4.3.2: only a snapshot that other keys have signed says that they were replaced.
  @Test(arguments: ["", "{}", "{\"signed\":", "null"])
  func `a damaged stored snapshot does not lift the floor in the timestamp`(text: String) throws {
    var repository = try RepositorySimulator.withSeparateKeys()
    for _ in 1...2 { try repository.release() }
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    client.stored.snapshot = Array(text.utf8)
    repository.timestamp.snapshot.version = 2
    repository.timestamp.header.version += 1
    try repository.publishTimestamp()
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    #expect(
      refusal
        == MetadataRefusal(
          section: "5.4.3.2",
          role: .timestamp,
          .listedRollback(.snapshot, found: 2, trusted: 3)
        )
    )
  }

  /// CVE-2022-29173 and 5.3.11: new keys recover from a raised version of targets.
  @Test func `a raised version of targets is recovered from by new snapshot keys`() throws {
    var repository = try RepositorySimulator.withSeparateKeys()
    repository.targets.header.version = .max
    repository.snapshot.header.version = 2
    repository.timestamp.header.version = 2
    try repository.publish()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    repository.targets.header.version = 2
    repository.snapshot.header.version = 3
    repository.timestamp.header.version = 3
    try repository.publish()
    #expect(
      refusal { () throws(MetadataRefusal) in try client.refresh(repository) }?.section == "5.5.5"
    )
    try repository.rotate(.snapshot, to: [try SimulatedKey("s2")])
    try repository.rotate(.timestamp, to: [try SimulatedKey("t2")])
    try repository.releaseSnapshot()
    try client.refresh(repository)
    #expect(client.stored.versions["targets"] == 2)
  }
}
