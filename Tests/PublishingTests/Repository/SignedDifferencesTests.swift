import Digests
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import StrictJSON
import Testing
import Trust

/// What those are shown who sign a change: all that is different in the bytes that they sign.
@Suite struct SignedDifferencesTests {
  private let owner: SimulatedSigner
  private let other: SimulatedSigner
  private let world: RepositoryWorld

  init() throws {
    owner = try SimulatedSigner("owner")
    other = try SimulatedSigner("other")
    world = try RepositoryWorld.oneKey(owner)
  }

  @Test func `a new root shows who comes and goes, and what it says of itself`() throws {
    var draft = world.draft()
    try draft.rotate(
      [KeyRotation(.root, adding: [other.publicKey], threshold: 2)],
      isCompromised: false,
      policy: world.state?.policy,
      at: world.now
    )
    let lines = try draft.differences(.role(.root))
    let id = MetadataKey(other.publicKey).id.text
    #expect(lines.contains("root gets \(other.fingerprint)"))
    #expect(lines.contains("root needs 2 of 2"))
    #expect(lines.contains("- version: 1") && lines.contains("+ version: 2"))
    #expect(lines.contains("+ roles.root.keyids[]: \"\(id)\""))
    #expect(lines.contains("- roles.root.threshold: 1"))
    #expect(lines.contains("+ roles.root.threshold: 2"))
    #expect(lines.contains { $0.hasPrefix("+ keys \(id): {") })
    #expect(!lines.contains { $0.contains("roles.targets") })
  }

  @Test func `a new policy shows which keys sign which models, and which are withdrawn`() throws {
    var draft = world.draft()
    try draft.changePolicy(at: world.now) { policy in
      try policy.adding([other.trusted()], for: try ModelPattern("acme/*"), threshold: 1)
        .withdrawing(owner.fingerprint, reason: "lost")
    }
    let lines = try draft.differences(.policy)
    #expect(
      lines.contains { $0.hasPrefix("+ policy.") && $0.contains("acme/*") },
      "\(lines)"
    )
    #expect(lines.contains { $0.hasPrefix("+ policy.") && $0.contains("lost") }, "\(lines)")
    #expect(lines.contains("- version: 1") && lines.contains("+ version: 2"))
  }

  @Test func `a new list shows each target with its length, digest and channels`() throws {
    var draft = world.draft()
    let new = try RepositoryDraft.NewRelease(by: owner)
    try draft.add([new], at: world.now)
    let lines = try draft.differences(.role(.targets))
    let line = try #require(
      lines.first { $0.hasPrefix("+ targets manifests/tiny/1.0.0.json: ") }
    )
    #expect(line.contains("\"length\":\(new.bytes.count)"))
    #expect(line.contains(SHA256Digest(of: new.bytes).hex) && line.contains("\"stable\""))
    #expect(!lines.contains { $0.contains("policy.json") })
  }

  @Test func `snapshot and timestamp show which versions they name`() throws {
    var draft = world.draft()
    try draft.add([try RepositoryDraft.NewRelease(by: owner)], at: world.now)
    try draft.sign(with: [owner.asRepositorySigner], at: world.now)
    for part in [DraftPart.role(.snapshot), .role(.timestamp)] {
      let lines = try draft.differences(part)
      #expect(lines.contains { $0.hasPrefix("- meta ") && $0.contains("\"version\":1") })
      #expect(lines.contains { $0.hasPrefix("+ meta ") && $0.contains("\"version\":2") })
    }
  }

  @Test func `a part is shown before it is signed, and what shows it can refuse`() throws {
    struct Refusal: Error {}
    var draft = world.draft()
    try draft.add([try RepositoryDraft.NewRelease(by: owner)], at: world.now)
    var shown: [DraftPart] = []
    let signer = owner.asRepositorySigner
    #expect(throws: Refusal.self) {
      try draft.sign(with: [signer], at: world.now) { seen, part in
        #expect(seen.signers(part).isEmpty)
        shown.append(part)
        if part == .role(.snapshot) { throw Refusal() }
      }
    }
    #expect(shown == [.role(.targets), .role(.snapshot)])
    #expect(!draft.isComplete && draft.signers(.role(.snapshot)).isEmpty)
  }
}
