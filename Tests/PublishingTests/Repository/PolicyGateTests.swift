import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// Nothing is built on a trust policy that the keys of the root have not signed.
@Suite struct PolicyGateTests {
  private let owner: SimulatedSigner
  private let thief: SimulatedSigner
  private let state: RepositoryState

  init() throws {
    owner = try SimulatedSigner("owner")
    thief = try SimulatedSigner("thief")
    state = try #require(try RepositoryWorld.oneKey(owner).state)
  }

  private func state(with policy: Envelope?) -> RepositoryState {
    RepositoryState(
      root: state.root,
      timestamp: state.timestamp,
      snapshot: state.snapshot,
      targets: state.targets,
      policy: policy
    )
  }

  @Test func `a policy by too few keys of the root is no ground for a new one`() throws {
    let forged = RepositoryPolicy(version: 2, policy: try RepositoryWorld.policy(thief)).envelope()
    let signed = try forged.adding(
      try thief.secretKey().sign(forged.signedBytes),
      by: thief.publicKey
    )
    for policy in [forged, signed] {
      let state = state(with: policy)
      let refusal = RepositoryProblem.unsignedPolicy(found: 0, threshold: 1)
      #expect(throws: refusal) { _ = try state.signedPolicy }
      var draft = RepositoryDraft(base: state)
      #expect(throws: refusal) {
        try draft.changePolicy(at: try Timestamp(RepositoryWorld.start)) { $0 }
      }
      #expect(draft.isEmpty)
    }
  }

  @Test func `what the keys of the root have signed under another type is no policy`() throws {
    let policy = Envelope(
      payloadType: "application/vnd.in-toto+json",
      payload: try #require(state.policy).payload
    )
    let signed = try policy.adding(
      try owner.secretKey().sign(policy.signedBytes),
      by: owner.publicKey
    )
    #expect(throws: RepositoryProblem.self) { _ = try state(with: signed).signedPolicy }
  }

  @Test func `a repository without a policy gets its first`() throws {
    var draft = RepositoryDraft(base: state(with: nil))
    let policy = try RepositoryWorld.policy(thief)
    try draft.changePolicy(at: try Timestamp(RepositoryWorld.start)) { old in
      #expect(old == TrustPolicy())
      return policy
    }
    let made = try RepositoryPolicy(payload: try #require(draft.policy).payload)
    #expect(made == RepositoryPolicy(version: 1, policy: policy))
  }

  @Test func `the signed policy is the ground for the next version, and the same is no change`()
    throws
  {
    let now = try Timestamp(RepositoryWorld.start)
    var draft = RepositoryDraft(base: state)
    try draft.changePolicy(at: now) { $0 }
    #expect(draft.isEmpty)
    let policy = try RepositoryWorld.policy(thief)
    try draft.changePolicy(at: now) { _ in policy }
    let made = try RepositoryPolicy(payload: try #require(draft.policy).payload)
    #expect(made == RepositoryPolicy(version: 2, policy: policy))
  }
}
