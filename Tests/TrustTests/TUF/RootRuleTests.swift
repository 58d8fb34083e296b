import TUFSimulator
import Testing
import Trust

/// 5.2 and 5.3: the root.
struct RootRuleTests {
  private static let now = RepositorySimulator.now

  @Test func `a pinned root needs the signatures that it asks for itself`() throws {
    var repository = try RepositorySimulator.withSeparateKeys()
    let stranger = try SimulatedKey("stranger")
    repository.signers[.root] = [stranger]
    try repository.publishRoot()
    let refusal = refusal { () throws(MetadataRefusal) in try RootRule.acceptPin(repository.pin) }
    #expect(refusal?.section == "5.2" && refusal?.kind == .signatures)
  }

  @Test func `that a pinned root has expired does not matter`() throws {
    var repository = try RepositorySimulator()
    repository.root.header.expires = RepositorySimulator.time(-1)
    try repository.publishRoot()
    #expect(throws: Never.self) { try RootRule.acceptPin(repository.pin) }
  }

  /// The next root, signed by these.
  private func next(
    version: Int = 2,
    signedBy signers: (RepositorySimulator) throws -> [SimulatedKey]
  ) throws -> MetadataRefusal? {
    var repository = try RepositorySimulator.withSeparateKeys()
    let trusted = try RootRule.acceptPin(repository.pin)
    let fresh = try SimulatedKey("fresh")
    repository.root.keys.insert(fresh.listed)
    repository.root.root = RoleKeys([fresh])
    repository.root.header.version = version
    let bytes = try SignedRoot(repository.root).signed(by: try signers(repository)).bytes
    return refusal { () throws(MetadataRefusal) in try RootRule.accept(bytes, after: trusted) }
  }

  @Test func `a new root is signed by the old keys and by its own`() throws {
    let fresh = try SimulatedKey("fresh")
    #expect(try next { ($0.signers[.root] ?? []) + [fresh] } == nil)
    for signers in [
      try next { $0.signers[.root] ?? [] }, try next { _ in [fresh] }, try next { _ in [] },
      try next { ($0.signers[.targets] ?? []) + ($0.signers[.timestamp] ?? []) + [fresh] },
    ] {
      #expect(signers?.section == "5.3.4" && signers?.kind == .signatures)
    }
  }

  /// CVE-2025-2885.
  @Test(arguments: [
    (1, MetadataProblem.wrongVersion(found: 1, expected: 2)),
    (3, .wrongVersion(found: 3, expected: 2)), (Int.max, .wrongVersion(found: .max, expected: 2)),
  ])
  func `a new root has exactly the next version`(version: Int, problem: MetadataProblem) throws {
    let fresh = try SimulatedKey("fresh")
    let refusal = try next(version: version) { ($0.signers[.root] ?? []) + [fresh] }
    #expect(refusal == MetadataRefusal(section: "5.3.5", role: .root, problem))
  }

  @Test func `no root follows the last version that there can be`() throws {
    var repository = try RepositorySimulator()
    repository.root.header.version = .max
    let bytes = try SignedRoot(repository.root).signed(by: repository.signers[.root] ?? []).bytes
    let trusted = try RootRule.acceptPin(bytes)
    let refusal = refusal { () throws(MetadataRefusal) in try RootRule.accept(bytes, after: trusted)
    }
    #expect(refusal?.section == "5.3.5")
    // And a run asks for none.
    var client = SimulatedClient(pin: bytes)
    try client.refresh(repository)
    #expect(client.requests.first == "timestamp.json")
  }

  @Test func `an older root is a rollback`() throws {
    var repository = try RepositorySimulator()
    let first = repository.pin
    try repository.releaseRoot()
    let trusted = try RootRule.accept(
      repository.files["2.root.json"] ?? [],
      after: RootRule.acceptPin(first)
    )
    let refusal = refusal { () throws(MetadataRefusal) in try RootRule.accept(first, after: trusted)
    }
    #expect(refusal?.problem == .rollback(found: 1, trusted: 2))
    #expect(refusal?.description == "refused (TUF 5.3.5): root rollback, version 1 < 2")
  }

  @Test(arguments: [(1, true), (0, false), (-1, false)])
  func `metadata is expired from the second of its expiry on`(seconds: Int64, isValid: Bool) throws
  {
    var repository = try RepositorySimulator()
    repository.root.header.expires = RepositorySimulator.time(seconds)
    let root = SignedRoot(repository.root)
    let refusal = refusal { () throws(MetadataRefusal) in
      try RootRule.requireUnexpired(root, at: Self.now)
    }
    #expect((refusal == nil) == isValid)
    if !isValid { #expect(refusal?.section == "5.3.10" && refusal?.kind == .expired) }
  }

  @Test func `a threshold of distinct keys is asked of both roots`() throws {
    let (a, b, c) = (try SimulatedKey("a"), try SimulatedKey("b"), try SimulatedKey("c"))
    var keys = try RepositorySimulator.separateKeys()
    keys[.root] = [a, b, c]
    var repository = try RepositorySimulator(keys: keys)
    repository.root.root.threshold = 2
    try repository.publishRoot()
    let trusted = try RootRule.acceptPin(repository.pin)
    repository.root.header.version = 2
    for (signers, isMet) in [([a], false), ([a, a], false), ([a, c], true), ([b, c, a], true)] {
      let bytes = try SignedRoot(repository.root).signed(by: signers).bytes
      let refusal = refusal { () throws(MetadataRefusal) in
        try RootRule.accept(bytes, after: trusted)
      }
      #expect((refusal == nil) == isMet)
    }
  }

  @Test func `the chain is walked from the pin over what is stored, in any order`() throws {
    var repository = try RepositorySimulator()
    for _ in 2...5 { try repository.releaseRoot() }
    let files = (2...5).map { repository.files["\($0).root.json"] ?? [] }
    let chain = try RootChain(pin: repository.pin, chain: files.reversed() + [[1, 2]])
    #expect(chain.roots.map(\.version) == [1, 2, 3, 4, 5] && chain.newest.version == 5)
    // A gap or a file that does not verify ends the walk; nothing is refused.
    #expect(try RootChain(pin: repository.pin, chain: [files[0], files[2]]).newest.version == 2)
    let stranger = try SimulatedKey("stranger")
    let forged = try SignedRoot(repository.root).signed(by: [stranger]).bytes
    #expect(try RootChain(pin: files[2], chain: [forged]).newest.version == 4)
    // A pin that is newer than what is stored wins.
    #expect(try RootChain(pin: files[3], chain: [files[0]]).roots.map(\.version) == [5])
  }
}
