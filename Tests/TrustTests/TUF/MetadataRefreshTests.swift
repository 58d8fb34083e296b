import Manifests
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 5.1–5.6 as a whole: what is asked for in which order, and what stays after a refusal.
struct MetadataRefreshTests {
  private static let now = RepositorySimulator.now

  @Test func `a first run asks for each file once, and a run without news for two`() throws {
    let repository = try RepositorySimulator()
    var client = SimulatedClient(pin: repository.pin)
    let metadata = try client.refresh(repository)
    #expect(
      client.requests
        == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"]
    )
    #expect(client.stored.timestamp == repository.files["timestamp.json"])
    #expect(client.stored.snapshot == repository.files["1.snapshot.json"])
    #expect(client.stored.targets == repository.files["1.targets.json"])
    #expect(metadata.now == Self.now && !metadata.isExpiryIgnored)
    #expect(metadata.expiries.map(\.role) == [.root, .timestamp, .snapshot, .targets])
    client.forgetRequests()
    try client.refresh(repository)
    #expect(client.requests == ["2.root.json", "timestamp.json"])
  }

  @Test func `without consistent snapshots names have no versions but those of roots`() throws {
    for isConsistent in [nil, false] {
      var repository = try RepositorySimulator(isConsistent: false)
      if isConsistent == nil {
        repository.replace("\"consistent_snapshot\":false,", with: "", in: "1.root.json")
        let bare = try SignedRoot(parsing: repository.pin, as: .root, limit: 10_000)
        repository.files["1.root.json"] =
          try bare.signed(by: repository.signers[.root] ?? []).bytes
      }
      var client = SimulatedClient(pin: repository.pin)
      try client.refresh(repository)
      #expect(
        client.requests == ["2.root.json", "timestamp.json", "snapshot.json", "targets.json"]
      )
    }
  }

  @Test func `a list may name versions alone`() throws {
    var repository = try RepositorySimulator()
    repository.listsDigests = false
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    client.forgetRequests()
    try repository.releaseTimestamp()
    try client.refresh(repository)
    #expect(client.requests == ["2.root.json", "timestamp.json"])
    #expect(client.stored.versions["timestamp"] == 3)
  }

  @Test(arguments: ["{}", "", "null"]) func `a bad pin is refused before anything is asked for`(
    text: String
  ) throws {
    var client = SimulatedClient(pin: Array(text.utf8))
    let repository = try RepositorySimulator()
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    #expect(refusal?.role == .root && client.requests.isEmpty)
  }

  @Test func `fifteen roots are walked in one run, and three of the pin's successors later`() throws
  {
    var repository = try RepositorySimulator.withSeparateKeys()
    for number in 1...15 { try repository.rotate(.root, to: [try SimulatedKey("r\(number)")]) }
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    #expect(client.requests.prefix(15) == (2...16).map { "\($0).root.json" }[...])
    #expect(client.stored.versions["root"] == 16)
    for role in [RoleName.timestamp, .snapshot, .targets] {
      try repository.rotate(role, to: [try SimulatedKey("new \(role)")])
    }
    try repository.release()
    client.forgetRequests()
    try client.refresh(repository)
    #expect(
      client.requests
        == ["17.root.json", "18.root.json", "19.root.json", "20.root.json", "timestamp.json"]
        + ["2.snapshot.json", "2.targets.json"]
    )
  }

  @Test func `intermediate roots may have expired, the last may not`() throws {
    var repository = try RepositorySimulator()
    let end = repository.root.header.expires
    repository.root.header.expires = RepositorySimulator.time(-1)
    try repository.releaseRoot()
    var client = SimulatedClient(pin: repository.pin)
    let stuck = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    #expect(stuck?.section == "5.3.10" && stuck?.kind == .expired)
    // It stays, and nothing behind it was asked for.
    #expect(client.stored.versions == ["root": 2])
    #expect(client.requests == ["2.root.json", "3.root.json"])
    repository.root.header.expires = end
    try repository.releaseRoot()
    try client.refresh(repository)
    #expect(client.stored.versions["root"] == 3)
  }

  @Test func `a root that is refused ends the run and changes nothing`() throws {
    var repository = try RepositorySimulator()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    let before = client.stored
    try repository.release()
    try repository.releaseRoot()
    try repository.releaseRoot()
    repository.files["2.root.json"] = repository.files["3.root.json"]
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    #expect(refusal?.problem == .wrongVersion(found: 3, expected: 2))
    #expect(client.stored == before)
  }

  @Test func `endless and missing roots are told apart`() throws {
    var repository = try RepositorySimulator()
    repository.answers["2.root.json"] = .tooLong
    var client = SimulatedClient(pin: repository.pin)
    let refusal = refusal { () throws(MetadataRefusal) in try client.refresh(repository) }
    #expect(
      refusal == MetadataRefusal(section: "5.3.3", role: .root, .tooLong(limit: 512_000))
    )
  }

  @Test func `a run takes so many new roots, and the next run goes on`() throws {
    var repository = try RepositorySimulator()
    for _ in 1...5 { try repository.releaseRoot() }
    var client = SimulatedClient(pin: repository.pin)
    client.limits.newRoots = 3
    try client.refresh(repository)
    #expect(client.stored.versions["root"] == 4)
    try client.refresh(repository)
    #expect(client.stored.versions["root"] == 6)
  }

  /// Ours 2: a run that died after the timestamp must not be frozen by it.
  @Test func `an equal timestamp goes on to fetch what is missing`() throws {
    var repository = try RepositorySimulator()
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    repository.answers["2.snapshot.json"] = .absent
    #expect(refusal { () throws(MetadataRefusal) in try client.refresh(repository) } != nil)
    #expect(client.stored.versions == ["root": 1, "timestamp": 2])
    repository.answers = ["2.targets.json": .absent]
    #expect(refusal { () throws(MetadataRefusal) in try client.refresh(repository) } != nil)
    #expect(client.stored.versions == ["root": 1, "timestamp": 2, "snapshot": 2])
    repository.answers = [:]
    client.forgetRequests()
    try client.refresh(repository)
    #expect(client.requests == ["2.root.json", "timestamp.json", "2.targets.json"])
  }

  @Test func `stored files that are damaged are fetched again`() throws {
    let repository = try RepositorySimulator()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    let good = client.stored
    client.stored.timestamp = [0]
    client.stored.snapshot = Array("{}".utf8)
    client.stored.targets = []
    client.forgetRequests()
    try client.refresh(repository)
    #expect(client.requests.count == 4 && client.stored == good)
  }

  @Test func `a targets file of the right version and other bytes is not used`() throws {
    var repository = try RepositorySimulator()
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    var other = repository
    other.targets.targets[path("evil")] = TargetFile(of: [])
    try other.publish()
    client.stored.targets = other.files["2.targets.json"]
    client.forgetRequests()
    let metadata = try client.refresh(repository)
    #expect(client.requests.last == "2.targets.json")
    #expect(metadata.targets.contents.targets.isEmpty)
  }

  @Test func `the repository may turn to consistent snapshots`() throws {
    var repository = try RepositorySimulator(isConsistent: false)
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    repository.root.usesConsistentSnapshots = true
    try repository.releaseRoot()
    try repository.release()
    client.forgetRequests()
    try client.refresh(repository)
    #expect(
      client.requests
        == ["2.root.json", "3.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json"]
    )
  }

  @Test func `after a refusal the same request takes the answer of another mirror`() throws {
    let repository = try RepositorySimulator()
    var machine = MetadataRefresh(
      stored: StoredMetadata(pin: repository.pin),
      now: Self.now
    )
    _ = try machine.start()
    guard case .fetch(let request) = try machine.received(.absent) else {
      Issue.record("the walk ends")
      return
    }
    #expect(request.name == "timestamp.json")
    for bad in [MetadataResponse.absent, .tooLong, .bytes([]), .bytes(repository.pin)] {
      #expect(refusal { () throws(MetadataRefusal) in try machine.received(bad) } != nil)
    }
    guard case .keep(let file) = try machine.received(repository.answer(request)) else {
      Issue.record("the good answer is kept")
      return
    }
    #expect(file.role == .timestamp && file.version == 1)
    guard case .fetch(let next) = try machine.kept() else {
      Issue.record("the snapshot is asked for")
      return
    }
    #expect(next.name == "1.snapshot.json")
    #expect(next.limit == repository.files["1.snapshot.json"]?.count)
  }

  // Offline.

  @Test func `what is stored is checked as a run would, without a request`() throws {
    let repository = try RepositorySimulator()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    let late = repository.timestamp.header.expires
    let stored = client.stored
    let metadata = try TrustedMetadata(offline: stored, ignoringExpiry: false, now: Self.now)
    #expect(metadata.targets.bytes == stored.targets && !metadata.isExpiryIgnored)
    let expired = refusal { () throws(MetadataRefusal) in
      try TrustedMetadata(offline: stored, ignoringExpiry: false, now: late)
    }
    #expect(expired?.kind == .expired)
    let stale = try TrustedMetadata(offline: stored, ignoringExpiry: true, now: late)
    #expect(stale.isExpiryIgnored && stale.now == late)
  }

  @Test func `offline, what is missing or damaged is refused`() throws {
    let repository = try RepositorySimulator()
    var client = SimulatedClient(pin: repository.pin)
    try client.refresh(repository)
    let places: [(WritableKeyPath<StoredMetadata, [UInt8]?>, String)] = [
      (\.timestamp, "5.4.1"), (\.snapshot, "5.5.1"), (\.targets, "5.6.1"),
    ]
    for (place, section) in places {
      var stored = client.stored
      stored[keyPath: place] = nil
      let absent = refusal { () throws(MetadataRefusal) in
        try TrustedMetadata(offline: stored, ignoringExpiry: true, now: Self.now)
      }
      #expect(absent?.section == section && absent?.problem == .absent)
      stored[keyPath: place] = [0]
      #expect(
        refusal { () throws(MetadataRefusal) in
          try TrustedMetadata(offline: stored, ignoringExpiry: true, now: Self.now)
        } != nil
      )
    }
  }
}
