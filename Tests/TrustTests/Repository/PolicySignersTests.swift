import Manifests
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// The trust policy of a repository is what the threshold of the root's keys says it is.
struct PolicySignersTests {
  private let (a, b, c): (SimulatedSigner, SimulatedSigner, SimulatedSigner)
  private let policy: RepositoryPolicy

  init() throws {
    (a, b, c) = try Samples.signers()
    policy = RepositoryPolicy(version: 2, policy: try .trusting([a], for: "acme/*"))
  }

  private func root(_ signers: [SimulatedSigner], threshold: Int, version: Int = 1) -> RootMetadata
  {
    let keys = signers.map { MetadataKey($0.publicKey) }
    let role = RoleKeys(keyIDs: keys.map(\.id), threshold: threshold)
    return RootMetadata(
      header: MetadataHeader(version: version, expires: Samples.time(1)),
      usesConsistentSnapshots: true,
      keys: KeyTable(keys),
      root: role,
      timestamp: role,
      snapshot: role,
      targets: role
    )
  }

  private func bytes(
    _ policy: RepositoryPolicy? = nil,
    signedBy signers: [SimulatedSigner]
  ) throws -> [UInt8] {
    try (policy ?? self.policy).envelope().signed(by: signers).encode()
  }

  private func accept(
    _ bytes: [UInt8],
    _ root: RootMetadata,
    after stored: RepositoryPolicy? = nil
  ) throws(RepositoryError) -> RepositoryPolicy {
    try RepositoryPolicy.accept(bytes, signedBy: root, after: stored)
  }

  @Test func `a policy is accepted that the threshold of the root has signed`() throws {
    let root = root([a, b, c], threshold: 2)
    #expect(try accept(bytes(signedBy: [a, c]), root) == policy)
    for signers in [[a], []] {
      #expect(
        throws: RepositoryError.policySigners(counted: signers.count, threshold: 2)
      ) { try accept(bytes(signedBy: signers), root) }
    }
  }

  @Test func `keys that the root does not name do not count, and a key counts once`() throws {
    let root = root([a, b], threshold: 2)
    #expect(throws: RepositoryError.policySigners(counted: 1, threshold: 2)) {
      try accept(bytes(signedBy: [a, c]), root)
    }
    let signed = try policy.envelope().signed(by: [a])
    let twice = signed.bytes([("x", signed.signatures[0].bytes), ("y", signed.signatures[0].bytes)])
    #expect(throws: RepositoryError.policySigners(counted: 1, threshold: 2)) {
      try accept(twice, root)
    }
  }

  @Test func `what a signature calls itself does not matter`() throws {
    let signed = try policy.envelope().signed(by: [a])
    let renamed = signed.bytes([("", signed.signatures[0].bytes)])
    #expect(try accept(renamed, root([a], threshold: 1)) == policy)
  }

  @Test func `an older policy is refused after a newer one, and another one of the same version`()
    throws
  {
    let root = root([a], threshold: 1)
    let newer = RepositoryPolicy(version: 3, policy: policy.policy)
    #expect(throws: RepositoryError.policyRollback(from: 3, to: 2)) {
      try accept(bytes(signedBy: [a]), root, after: newer)
    }
    #expect(try accept(bytes(newer, signedBy: [a]), root, after: policy) == newer)
    #expect(try accept(bytes(signedBy: [a]), root, after: policy) == policy)
    let other = RepositoryPolicy(version: 2, policy: TrustPolicy())
    #expect(throws: RepositoryError.policyReplaced(version: 2)) {
      try accept(bytes(other, signedBy: [a]), root, after: policy)
    }
  }

  @Test func `a manifest is no policy, and a policy no manifest`() throws {
    let root = root([a], threshold: 1)
    let manifest = try Samples.release().manifest(signedBy: [a])
    let other = DocumentProblem.unexpected(
      path: "payloadType",
      expected: RepositoryPolicy.payloadType,
      found: "application/vnd.in-toto+json"
    )
    #expect(throws: RepositoryError.document(path: "policy.json", other)) {
      try accept(manifest, root)
    }
    #expect(throws: RepositoryError.self) { try accept([], root) }
    #expect(throws: TrustError.self) {
      try TrustPolicy.trusting([a]).accept(bytes(signedBy: [a]), at: Samples.now)
    }
  }

  @Test func `what was accepted stays in force when the root's keys change`() throws {
    let (old, new) = (root([a], threshold: 1), root([b], threshold: 1, version: 2))
    let roots = [SignedRoot(old), SignedRoot(new)]
    let stored = try bytes(signedBy: [a])
    #expect(RepositoryPolicy.restored(stored, roots: roots) == policy)
    #expect(throws: RepositoryError.policySigners(counted: 0, threshold: 1)) {
      try accept(stored, new)
    }
    #expect(try RepositoryPolicy.restored(bytes(signedBy: [c]), roots: roots) == nil)
    #expect(RepositoryPolicy.restored([], roots: roots) == nil)
  }
}
