import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 5.4: the timestamp.
struct TimestampRuleTests {
  private static let now = RepositorySimulator.now

  /// What a client with `before` says to `after`.
  private func judge(
    before: (inout RepositorySimulator) throws -> Void = { _ in },
    after: (inout RepositorySimulator) throws -> Void
  ) throws -> (refusal: MetadataRefusal?, client: SimulatedClient) {
    var repository = try RepositorySimulator.withSeparateKeys()
    for _ in 1...4 { try repository.release() }
    try before(&repository)
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    client.forgetRequests()
    try after(&repository)
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    return (refusal, client)
  }

  @Test func `an older timestamp is a rollback`() throws {
    let (refusal, client) = try judge {
      $0.timestamp.header.version = 4
      try $0.publishTimestamp()
    }
    #expect(
      refusal
        == MetadataRefusal(section: "5.4.3.1", role: .timestamp, .rollback(found: 4, trusted: 5))
    )
    #expect(refusal?.description == "refused (TUF 5.4.3.1): timestamp rollback, version 4 < 5")
    #expect(refusal?.kind == .rollback)
    #expect(client.stored.versions["timestamp"] == 5)
    #expect(client.requests == ["2.root.json", "timestamp.json"])
  }

  @Test func `an equal timestamp of other content is dropped and the stored one kept`() throws {
    var kept: [UInt8] = []
    let (refusal, client) = try judge {
      kept = $0.files["timestamp.json"] ?? []
      $0.snapshot.header.version += 1
      try $0.publish()
      #expect($0.files["timestamp.json"] != kept)
    }
    #expect(refusal == nil)
    #expect(client.stored.timestamp == kept)
    #expect(client.requests == ["2.root.json", "timestamp.json"])
  }

  /// rust-tuf #294.
  @Test func `a newer timestamp must not name an older snapshot`() throws {
    let (refusal, client) = try judge {
      $0.snapshot.header.version = 4
      $0.timestamp.header.version += 1
      try $0.publish()
    }
    #expect(
      refusal
        == MetadataRefusal(
          section: "5.4.3.2",
          role: .timestamp,
          .listedRollback(.snapshot, found: 4, trusted: 5)
        )
    )
    #expect(client.stored.versions["timestamp"] == 5)
    #expect(client.requests == ["2.root.json", "timestamp.json"])
  }

  @Test(arguments: [RoleName.root, .snapshot, .targets])
  func `no key but that of the timestamp signs one`(other: RoleName) throws {
    let (refusal, client) = try judge {
      $0.signers[.timestamp] = $0.signers[other]
      try $0.releaseTimestamp()
    }
    #expect(refusal?.section == "5.4.2" && refusal?.kind == .signatures)
    #expect(client.stored.versions["timestamp"] == 5)
  }

  @Test func `an expired timestamp is refused and not kept`() throws {
    let (refusal, client) = try judge {
      $0.timestamp.header.expires = Self.now
      try $0.releaseTimestamp()
    }
    #expect(
      refusal
        == MetadataRefusal(section: "5.4.4", role: .timestamp, .expired(Self.now, now: Self.now))
    )
    #expect(client.stored.versions["timestamp"] == 5)
  }

  /// A freeze: the mirror serves what it has for ever.
  @Test func `the stored timestamp is refused once it has expired`() throws {
    let repository = try RepositorySimulator()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    let end = repository.timestamp.header.expires
    var long = repository
    long.root.header.expires = RepositorySimulator.time(90 * RepositorySimulator.day)
    try long.releaseRoot()
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(long, at: end) }
    #expect(refusal == MetadataRefusal(section: "5.4.4", role: .timestamp, .expired(end, now: end)))
  }

  @Test func `a timestamp that expired is a floor all the same`() throws {
    let (refusal, _) = try judge(
      before: {
        $0.timestamp.header.expires = RepositorySimulator.time(1)
        try $0.releaseTimestamp()
      },
      after: {
        $0.timestamp.header.expires = RepositorySimulator.time(100)
        $0.timestamp.header.version -= 2
        try $0.publishTimestamp()
      }
    )
    #expect(refusal?.section == "5.4.3.1")
  }

  /// CVE-2025-2888.
  @Test func `after a refusal the next good timestamp is accepted`() throws {
    var repository = try RepositorySimulator()
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    var bad = repository
    bad.timestamp.header.version = 99
    bad.timestamp.header.expires = RepositorySimulator.time(-1)
    try bad.publishTimestamp()
    #expect(refusal { () throws(MetadataRefusal) in try client.refresh(bad) }?.kind == .expired)
    try repository.release()
    try client.refresh(repository)
    #expect(client.stored.versions["timestamp"] == 3)
  }

  @Test(arguments: [MetadataResponse.absent, .tooLong])
  func `a timestamp that cannot be had ends the run`(answer: MetadataResponse) throws {
    let (refusal, _) = try judge { $0.answers["timestamp.json"] = answer }
    #expect(refusal?.section == "5.4.1")
    #expect(refusal?.problem == (answer == .absent ? .absent : .tooLong(limit: 16_384)))
  }

  @Test func `more bytes than were asked for are refused even if they arrive`() throws {
    let (refusal, _) = try judge {
      let spaces = [UInt8](repeating: 0x20, count: 16_384)
      $0.answers["timestamp.json"] = .bytes(($0.files["timestamp.json"] ?? []) + spaces)
    }
    #expect(refusal?.problem == .tooLong(limit: 16_384) && refusal?.kind == .limit)
  }

  /// 5.3.11: what the rotated keys no longer verify is no floor.
  @Test func `a raised version is recovered from by new keys`() throws {
    let (refusal, client) = try judge(
      before: {
        $0.timestamp.header.version = .max
        $0.snapshot.header.version = .max
        try $0.publish()
      },
      after: {
        try $0.rotate(.timestamp, to: [try SimulatedKey("t2")])
        try $0.rotate(.snapshot, to: [try SimulatedKey("s2")])
        $0.timestamp.header.version = 6
        $0.snapshot.header.version = 6
        try $0.publish()
      }
    )
    #expect(refusal == nil)
    #expect(client.stored.versions == ["root": 3, "timestamp": 6, "snapshot": 6, "targets": 5])
  }

  @Test func `a raised snapshot version is recovered from by new snapshot keys alone`() throws {
    let (refusal, client) = try judge(
      before: {
        $0.snapshot.header.version = .max
        $0.timestamp.header.version += 1
        try $0.publish()
      },
      after: {
        try $0.rotate(.snapshot, to: [try SimulatedKey("s2")])
        $0.snapshot.header.version = 6
        $0.timestamp.header.version += 1
        try $0.publish()
      }
    )
    #expect(refusal == nil && client.stored.versions["snapshot"] == 6)
  }

  @Test func `a raised version stays while the keys stay`() throws {
    let (refusal, _) = try judge(
      before: {
        $0.timestamp.header.version = .max
        try $0.publishTimestamp()
      },
      after: {
        // A key that is only added changes nothing.
        let old = $0.signers[.timestamp] ?? []
        try $0.rotate(.timestamp, to: old + [try SimulatedKey("t2")])
        $0.timestamp.header.version = 6
        try $0.publishTimestamp()
      }
    )
    #expect(refusal?.problem == .rollback(found: 6, trusted: .max))
  }

  @Test func `an entry besides that of the snapshot is nobody's business`() throws {
    let (refusal, _) = try judge {
      $0.timestamp.header.others = ["x": 1]
      try $0.releaseTimestamp()
    }
    #expect(refusal == nil)
  }
}
