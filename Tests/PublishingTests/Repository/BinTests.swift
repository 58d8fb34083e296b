import Digests
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// How a large repository spreads its releases.
@Suite struct BinTests {
  private let owner: SimulatedSigner
  private var world: RepositoryWorld

  init() throws {
    owner = try SimulatedSigner("owner")
    world = try RepositoryWorld.oneKey(owner)
  }

  private func releases(_ range: Range<Int>) throws -> [RepositoryDraft.NewRelease] {
    try range.map { try RepositoryDraft.NewRelease("m\($0 % 3)", "1.0.\($0)", by: owner) }
  }

  private mutating func add(_ range: Range<Int>, binsFrom limit: Int) throws -> RepositoryDraft {
    var draft = world.draft()
    try draft.add(try releases(range), at: world.now, binsFrom: limit)
    #expect(try world.publish(&draft, by: owner))
    return draft
  }

  @Test
  mutating func
    `up to the limit there is one list, and beyond it 128 bins that the rules find releases in`()
    throws
  {
    _ = try add(0..<10, binsFrom: 10)
    #expect(world.state?.bins.isEmpty == true)
    let change = try add(10..<11, binsFrom: 10)
    let state = try #require(world.state)
    #expect(state.bins.count == 128 && change.targets.count == 129)
    #expect(
      Set(state.targets.contents.targets.keys.map(\.text)) == ["policy.json", "withdrawn.json"]
    )
    #expect(try state.releases.count == 11)
    for (name, bin) in state.bins {
      for path in bin.contents.targets.keys { #expect(state.role(of: path) == name) }
    }
  }

  @Test mutating func `one more release rewrites two bins, and the list of its model`() throws {
    _ = try add(0..<10, binsFrom: 5)
    let before = try #require(world.state)
    let change = try add(10..<11, binsFrom: 5)
    #expect((1...2).contains(change.targets.count) && change.targets[.targets] == nil)
    #expect(
      Set(change.documents.map(\.path.text)) == ["manifests/m1/1.0.10.json", "index/m1.json"]
    )
    let list = try #require(change.documents.first { $0.path.text == "index/m1.json" })
    let index = try ModelIndex(parsing: list.bytes, of: try ModelName("m1"))
    #expect(index.rows.map(\.entry.version.text) == ["1.0.1", "1.0.4", "1.0.7", "1.0.10"])
    let after = try #require(world.state)
    #expect(after.targets.bytes == before.targets.bytes)
    // A role that was in the snapshot once stays in it.
    #expect(Set(before.snapshot.contents.files.keys) == Set(after.snapshot.contents.files.keys))
  }

  @Test mutating func `a withdrawn release leaves its bin and the list of its model`() throws {
    _ = try add(0..<10, binsFrom: 5)
    var change = world.draft()
    let gone = WithdrawnRelease(
      model: try ModelName("m1"),
      version: try Version("1.0.4"),
      manifest: SHA256Digest(of: []),
      reason: "why",
      time: world.now
    )
    try change.withdraw(gone, at: world.now)
    #expect(try world.publish(&change, by: owner))
    let list = try #require(change.documents.first { $0.path.text == "index/m1.json" })
    let index = try ModelIndex(parsing: list.bytes, of: try ModelName("m1"))
    #expect(index.rows.map(\.entry.version.text) == ["1.0.1", "1.0.7"])
    #expect(change.targets[.targets] != nil)
  }

  @Test mutating func `new keys of the list sign every bin`() throws {
    _ = try add(0..<10, binsFrom: 5)
    let new = try SimulatedSigner("new")
    var draft = world.draft()
    try draft.rotate(
      [KeyRotation(.targets, adding: [new.publicKey], removing: [owner.fingerprint])],
      isCompromised: false,
      policy: nil,
      at: world.now
    )
    #expect(try world.publish(&draft, by: owner, new))
    #expect(draft.targets.count == 129)
    let ids = [MetadataKey(new.publicKey).id]
    for bin in try #require(world.state).bins.values { #expect(bin.signatures.map(\.keyID) == ids) }
  }

  @Test func `a repository may begin with bins`() throws {
    let world = try RepositoryWorld.oneKey(owner, hasBins: true)
    #expect(world.state?.bins.count == 128)
    #expect(try world.trusted().targets.contents.delegations != nil)
  }
}
