import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// What `repo rotate` plans: who must sign, and in which order clients meet it.
@Suite struct KeyRotationTests {
  private let owner: SimulatedSigner
  private let people: [SimulatedSigner]
  private var world: RepositoryWorld

  init() throws {
    owner = try SimulatedSigner("owner")
    people = try ["a", "b", "c"].map { try SimulatedSigner($0) }
    world = try RepositoryWorld.oneKey(owner)
  }

  /// A change in which one key takes the place of another, in these roles.
  private func replacing(
    _ roles: [RoleName],
    _ old: SimulatedSigner,
    by new: SimulatedSigner,
    isCompromised: Bool = false
  ) throws -> RepositoryDraft {
    var draft = world.draft()
    try draft.rotate(
      roles.map { KeyRotation($0, adding: [new.publicKey], removing: [old.fingerprint]) },
      isCompromised: isCompromised,
      policy: world.state?.policy,
      at: world.now
    )
    return draft
  }

  @Test(arguments: [RoleName.root, .targets, .snapshot, .timestamp])
  func `where old and new keys sign, clients with either root accept, and the root comes last`(
    role: RoleName
  ) throws {
    var world = world
    var draft = try replacing([role], owner, by: people[0])
    #expect(try world.publish(&draft, by: owner, people[0]))
    #expect(draft.suitsOldRoot)
    let root = try #require(world.state?.root)
    #expect(root.version == 2)
    #expect(root.contents[role]?.keyIDs == [MetadataKey(people[0].publicKey).id])
    // What was rotated is signed by both now, and by the new key alone from the next version on.
    var next = world.draft()
    let new = try RepositoryDraft.NewRelease(by: owner)
    try next.add([new], at: world.now)
    #expect(try world.publish(&next, by: owner, people[0]))
  }

  @Test mutating func `a new root takes the thresholds of the old one and of itself`() throws {
    var draft = world.draft()
    try draft.rotate(
      [
        KeyRotation(
          .root,
          adding: people.map(\.publicKey),
          removing: [owner.fingerprint],
          threshold: 2
        )
      ],
      isCompromised: false,
      policy: world.state?.policy,
      at: world.now
    )
    #expect(try !world.publish(&draft, by: people[0], people[1]))
    #expect(draft.missing.map(\.part) == [.role(.root)])
    #expect(draft.missing.first?.keys == [owner.fingerprint])
    #expect(try world.publish(&draft, by: owner))
    // The policy goes with the root, by the same people.
    let policy = try #require(world.state?.policy)
    #expect(policy.signers(among: people.map(\.publicKey)).count == 2)
  }

  @Test mutating func `a second signature of one key, a stranger's and a false one are refused`()
    throws
  {
    var draft = try replacing([.root], owner, by: people[0])
    let bytes = try #require(draft.signedBytes(.role(.root)))
    let signature = try owner.secretKey().sign(bytes)
    try draft.add(signature, by: owner.publicKey, to: .role(.root))
    let id = MetadataKey(owner.publicKey).id
    #expect(throws: RepositoryProblem.alreadySigned(.role(.root), id)) {
      try draft.add(signature, by: owner.publicKey, to: .role(.root))
    }
    #expect(throws: RepositoryProblem.unexpectedSigner(people[1].fingerprint)) {
      try draft.add(signature, by: people[1].publicKey, to: .role(.root))
    }
    #expect(
      throws: RepositoryProblem.signatureDoesNotVerify(
        .role(.root),
        MetadataKey(people[0].publicKey).id
      )
    ) {
      try draft.add(signature, by: people[0].publicKey, to: .role(.root))
    }
  }

  @Test
  mutating func `a lost key of the list is replaced without it, the root before the timestamp`()
    throws
  {
    var split = try replacing([.targets], owner, by: people[0])
    try world.publish(&split, by: owner, people[0])
    // The next version is signed by the new key alone, which is then lost.
    var add = world.draft()
    try add.add([try RepositoryDraft.NewRelease(by: owner)], at: world.now)
    try world.publish(&add, by: owner, people[0])
    var draft = try replacing([.targets], people[0], by: people[1])
    #expect(try world.publish(&draft, by: owner, people[1]))
    #expect(!draft.suitsOldRoot)
  }

  @Test
  mutating func `after a compromise old keys sign nothing, and timestamp and snapshot are new`()
    throws
  {
    let before = try #require(world.state)
    var draft = try replacing(
      [.targets, .snapshot, .timestamp],
      owner,
      by: people[0],
      isCompromised: true
    )
    #expect(try world.publish(&draft, by: owner, people[0]))
    let after = try #require(world.state)
    #expect(after.targets.signatures.map(\.keyID) == [MetadataKey(people[0].publicKey).id])
    #expect(after.timestamp.signatures.map(\.keyID) == [MetadataKey(people[0].publicKey).id])
    #expect(after.snapshot.version == before.snapshot.version + 1)
    #expect(!draft.suitsOldRoot)
  }

  @Test(arguments: [(0, 1), (2, 1), (4, 3)])
  func `a threshold below one or above the number of keys is refused`(threshold: Int, keys: Int)
    throws
  {
    var draft = world.draft()
    let added = keys == 1 ? [] : people.prefix(2).map(\.publicKey)
    #expect(throws: RepositoryProblem.badThreshold(.root, threshold, keys: keys)) {
      try draft.rotate(
        [KeyRotation(.root, adding: added, threshold: threshold)],
        isCompromised: false,
        policy: nil,
        at: world.now
      )
    }
  }

  @Test func `what would change nothing, or names a key wrongly, is refused`() throws {
    var draft = world.draft()
    func rotate(_ rotation: KeyRotation) throws {
      try draft.rotate([rotation], isCompromised: false, policy: nil, at: world.now)
    }
    #expect(throws: RepositoryProblem.nothingChanges) {
      try rotate(KeyRotation(.root, threshold: 1))
    }
    #expect(throws: RepositoryProblem.keyThere(.root, owner.fingerprint)) {
      try rotate(KeyRotation(.root, adding: [owner.publicKey]))
    }
    #expect(throws: RepositoryProblem.keyNotThere(.root, people[0].fingerprint)) {
      try rotate(KeyRotation(.root, removing: [people[0].fingerprint]))
    }
  }

  @Test func `one key for all, and a root without a spare key, are told`() throws {
    #expect(RepositoryDraft(base: world.state).keyAdvice == [.oneKey(owner.publicKey)])
    var draft = world.draft()
    try draft.rotate(
      [KeyRotation(.root, adding: [people[0].publicKey], threshold: 2)],
      isCompromised: false,
      policy: nil,
      at: world.now
    )
    #expect(draft.keyAdvice == [.noSpareKey(.root, keys: 2)])
  }

  @Test
  mutating func `a signature travels as keyid and sig, and fits the part that it was made for`()
    throws
  {
    var draft = try replacing([.root], owner, by: people[0])
    let bytes = try #require(draft.signedBytes(.role(.root)))
    let made = SignatureText(try owner.secretKey().sign(bytes), by: owner.publicKey)
    let text = try SignatureText(parsing: made.encode())
    #expect(text == made)
    let done = try draft.attach(text, to: nil)
    #expect(done.part == .role(.root) && done.key == owner.publicKey)
    let stranger = SignatureText(try people[2].secretKey().sign(bytes), by: people[2].publicKey)
    #expect(throws: RepositoryProblem.self) { try draft.attach(stranger, to: nil) }
    for junk in ["", "{}", #"{"keyid":"00","sig":"zz"}"#, "[]", #"{"keyid":1,"sig":""}"#] {
      #expect(throws: RepositoryProblem.self) { try SignatureText(parsing: Array(junk.utf8)) }
    }
  }

  @Test func `of several roles those lose a key that have it, and one that none has is refused`()
    throws
  {
    var world = world
    var split = try replacing([.timestamp], owner, by: people[0])
    try world.publish(&split, by: owner, people[0])
    let root = try #require(world.state?.root.contents)
    func plan(_ removed: SimulatedSigner) throws -> [KeyRotation] {
      try KeyRotation.of(
        RepositoryDraft.topLevel,
        in: root,
        adding: [people[1].publicKey],
        removing: [removed.fingerprint],
        threshold: nil
      )
    }
    #expect(
      try plan(owner).map(\.removed.count) == [1, 1, 1, 0]
    )
    #expect(try plan(people[0]).map(\.removed.count) == [0, 0, 0, 1])
    #expect(throws: RepositoryProblem.keyNotThere(.root, people[2].fingerprint)) {
      try plan(people[2])
    }
    let gone = try KeyRotation.of(
      [.targets, .timestamp],
      in: root,
      adding: [],
      removing: [people[0].fingerprint],
      threshold: nil
    )
    #expect(gone == [KeyRotation(.timestamp, removing: [people[0].fingerprint])])
  }
}
