import Digests
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// What `repo add`, `channel` and `withdraw` plan.
@Suite struct ReleaseListTests {
  private let owner: SimulatedSigner
  private var world: RepositoryWorld

  init() throws {
    owner = try SimulatedSigner("owner")
    world = try RepositoryWorld.oneKey(owner)
  }

  private func path(_ text: String) throws -> TargetPath { try #require(TargetPath(text)) }

  @Test func `a new repository has an empty list, a policy and no withdrawn release`() throws {
    let state = try #require(world.state)
    #expect(
      Set(state.targets.contents.targets.keys.map(\.text)) == ["policy.json", "withdrawn.json"]
    )
    #expect(try state.releases.isEmpty)
    #expect(state.root.version == 1 && state.timestamp.version == 1)
    #expect(try world.trusted().root.version == 1)
  }

  @Test
  mutating func `a release raises targets, snapshot and timestamp by one, and leaves the root`()
    throws
  {
    var draft = world.draft()
    let new = try RepositoryDraft.NewRelease(by: owner, in: [try ChannelName("beta")])
    try draft.add([new], at: world.now)
    #expect(try world.publish(&draft, by: owner))
    let state = try #require(world.state)
    #expect(
      state.targets.version == 2 && state.snapshot.version == 2 && state.timestamp.version == 2
    )
    #expect(state.root.version == 1)
    let file = try #require(state.targets.contents.targets[path("manifests/tiny/1.0.0.json")])
    #expect(file.hashes.sha256 == SHA256Digest(of: new.bytes))
    let entry = try #require(try state.releases.first?.entry)
    #expect(entry.channels.map(\.text) == ["beta"] && entry.released == new.release.released)
  }

  @Test
  mutating func `the same release again changes nothing, and another under its version is refused`()
    throws
  {
    let new = try RepositoryDraft.NewRelease(by: owner)
    var draft = world.draft()
    try draft.add([new], at: world.now)
    try world.publish(&draft, by: owner)
    var again = world.draft()
    try again.add([new], at: world.now)
    #expect(again.isEmpty)
    let other = try RepositoryDraft.NewRelease(by: owner, notes: "other")
    #expect(throws: RepositoryProblem.otherRelease(new.release.model, new.release.version)) {
      try again.add([other], at: world.now)
    }
  }

  @Test mutating func `channels change the list alone`() throws {
    let new = try RepositoryDraft.NewRelease(by: owner)
    var draft = world.draft()
    try draft.add([new], at: world.now)
    try world.publish(&draft, by: owner)
    let (model, version) = (new.release.model, new.release.version)
    var change = world.draft()
    try change.setChannels(of: model, version, at: world.now) { $0 = [.stable] }
    #expect(change.isEmpty)
    try change.setChannels(of: model, version, at: world.now) { $0 = [] }
    #expect(change.documents.isEmpty)
    #expect(try world.publish(&change, by: owner))
    #expect(try world.state?.releases.first?.entry.channels.isEmpty == true)
    var unknown = world.draft()
    #expect(throws: RepositoryProblem.noSuchRelease(model, try Version("2.0.0"))) {
      try unknown.setChannels(of: model, try Version("2.0.0"), at: world.now) { _ in }
    }
  }

  @Test mutating func `a withdrawn release is listed as such alone, and never comes back`() throws {
    let new = try RepositoryDraft.NewRelease(by: owner)
    let (model, version) = (new.release.model, new.release.version)
    var draft = world.draft()
    try draft.add([new], at: world.now)
    try world.publish(&draft, by: owner)
    let gone = WithdrawnRelease(
      model: model,
      version: version,
      manifest: new.payloadDigest,
      reason: "wrong tokenizer",
      time: world.now
    )
    var change = world.draft()
    try change.withdraw(gone, at: world.now)
    #expect(try world.publish(&change, by: owner))
    let state = try #require(world.state)
    #expect(try state.releases.isEmpty && state.withdrawn.releases == [gone])
    var back = world.draft()
    #expect(throws: RepositoryProblem.withdrawn(model, version, reason: "wrong tokenizer")) {
      try back.add([new], at: world.now)
    }
    #expect(throws: RepositoryProblem.withdrawn(model, version, reason: "wrong tokenizer")) {
      try back.withdraw(gone, at: world.now)
    }
  }

  @Test mutating func `a path that differs in case alone is refused`() throws {
    var draft = world.draft()
    try draft.add([try RepositoryDraft.NewRelease("tiny", "1.0.0-rc", by: owner)], at: world.now)
    #expect(
      throws: RepositoryProblem.caseTwin(
        "manifests/tiny/1.0.0-RC.json",
        "manifests/tiny/1.0.0-rc.json"
      )
    ) {
      try draft.add([try RepositoryDraft.NewRelease("tiny", "1.0.0-RC", by: owner)], at: world.now)
    }
  }

  @Test mutating func `the same change gives the same bytes`() throws {
    let new = try RepositoryDraft.NewRelease(by: owner)
    var (one, other) = (world.draft(), world.draft())
    for _ in 0..<1 {
      try one.add([new], at: world.now)
      try other.add([new], at: world.now)
    }
    try one.sign(with: [owner.asRepositorySigner], at: world.now)
    try other.sign(with: [owner.asRepositorySigner], at: world.now)
    #expect(one.timestamp?.bytes == other.timestamp?.bytes && one.timestamp != nil)
  }

  // MARK: Renewal

  @Test
  mutating func `where nothing is due nothing is renewed, and a timestamp takes its own key alone`()
    throws
  {
    let online = try SimulatedSigner("online")
    var rotation = world.draft()
    try rotation.rotate(
      [KeyRotation(.timestamp, adding: [online.publicKey], removing: [owner.fingerprint])],
      isCompromised: false,
      policy: world.state?.policy,
      at: world.now
    )
    #expect(try world.publish(&rotation, by: owner, online))
    var early = world.draft()
    _ = early.refresh(within: 14 * 86_400, at: world.now)
    #expect(early.isEmpty)
    let before = try #require(world.state)
    world.now = try #require(Timestamp(seconds: world.now.seconds + 20 * 86_400))
    var due = world.draft()
    _ = due.refresh(within: 14 * 86_400, at: world.now)
    #expect(try world.publish(&due, by: online))
    let after = try #require(world.state)
    #expect(after.timestamp.version == before.timestamp.version + 1)
    #expect(after.timestamp.contents.snapshot == before.timestamp.contents.snapshot)
    #expect(after.targets.bytes == before.targets.bytes && after.root.bytes == before.root.bytes)
  }

  @Test mutating func `a root that ends is renewed with the keys that it has`() throws {
    world.now = try #require(Timestamp(seconds: world.now.seconds + 360 * 86_400))
    var due = world.draft()
    _ = due.refresh(within: 14 * 86_400, at: world.now)
    #expect(try world.publish(&due, by: owner))
    #expect(world.state?.root.version == 2)
    #expect(world.state?.root.contents.root.keyIDs == [MetadataKey(owner.publicKey).id])
    #expect(world.state?.targets.version == 1)
  }

  @Test func `two manifests of one version in one command are refused, the same twice is once`()
    throws
  {
    let new = try RepositoryDraft.NewRelease(by: owner)
    let other = try RepositoryDraft.NewRelease(by: owner, notes: "other")
    var draft = world.draft()
    #expect(throws: RepositoryProblem.otherRelease(new.release.model, new.release.version)) {
      try draft.add([new, other], at: world.now)
    }
    #expect(draft.isEmpty)
    try draft.add([new, new], at: world.now)
    #expect(draft.summary == ["add tiny@1.0.0 in stable"])
  }
}
