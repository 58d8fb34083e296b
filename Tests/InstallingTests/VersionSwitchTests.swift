import Digests
import Installing
import Manifests
import ModelStore
import ReleaseSimulator
import Signatures
import SystemFiles
import TestSupport
import Testing
import Trust
import Verification

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct VersionSwitchTests {
  private let client: Client
  private let (one, two): (SimulatedRelease, SimulatedRelease)

  init() async throws {
    client = try Client()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
    try await client.install(one)
    try await client.install(two)
  }

  @Test func `a rollback goes back and a second one forth again`() async throws {
    try await client.rollBack()
    #expect(try client.active() == "1.0.0")
    try await client.rollBack()
    #expect(try client.active() == "2.0.0")
    #expect(try client.model().activeRecord().generation == 4)
  }

  @Test func `without a version before there is nothing to roll back to`() async throws {
    let other = try Client.other()
    await #expect(throws: StoreError.nothingActive(one.model)) { try await other.rollBack() }
    try await other.install(one)
    await #expect(throws: StoreError.noPrevious(one.model)) { try await other.rollBack() }
  }

  @Test func `a damaged version does not become active`() async throws {
    try rewrite(client.file("model.gguf", "1.0.0")) { $0.removeLast() }
    let size = try #require(one.contents["model.gguf"]).count
    let finding = FileFinding(
      path: "model.gguf",
      problem: .wrongSize(expected: size, found: size - 1)
    )
    let name = try client.model().versionName(one.version)
    await #expect(throws: InstallError.damagedVersion(name, [finding])) {
      try await client.rollBack()
    }
    #expect(try client.active() == "2.0.0")
  }

  @Test func `a runtime that is stated must satisfy the version before, and need not be stated`()
    async throws
  {
    var old = try SimulatedRelease.tiny("3.0.0")
    old.runtimes = [
      try RuntimeRequirement(name: RuntimeName("llama.cpp"), scheme: .build, minimum: "b2000")
    ]
    var request = try client.request(old, from: [client.localMirror(of: old)])
    request.runtimes = [try RuntimeStatement("llama.cpp=b2000")]
    try await client.install(request)
    try await client.install(.tiny("4.0.0"))
    let stated = ["llama.cpp=b1999"]
    let verdict = try old.release().runtimeVerdict(given: stated.map { try RuntimeStatement($0) })
    await #expect(throws: InstallError.runtime(old.model, old.version, verdict)) {
      try await client.rollBack(stated)
    }
    #expect(try client.active() == "4.0.0")
    try await client.rollBack()
    #expect(try client.active() == "3.0.0")
  }

  @Test func `the version before does not return if it is marked bad too`() async throws {
    let model = try client.model()
    try model.markBad(model.versionName(one.version), reason: "wrong", now: client.now)
    let record = try model.activeRecord()
    let change = VersionSwitch(policy: client.policy, runtimes: [], now: client.now)
    let new = try await change.markActiveBad(record, of: model, reason: "wrong too")
    #expect(new == record)
    #expect(try client.active() == "2.0.0")
    #expect(try model.badMark(of: model.versionName(one.version)) != nil)
    #expect(try model.badMark(of: model.versionName(two.version)) != nil)
  }

  @Test func `a version that is not there is not activated`() async throws {
    await #expect(throws: StoreError.noSuchVersion(one.model, try Version("9.0.0"))) {
      try await client.activate("9.0.0")
    }
  }

  @Test func `the manifest of another version in the folder of a version is refused`() async throws
  {
    let model = try client.model()
    let (first, second) = (
      try model.versionName(one.version), try model.versionName(two.version)
    )
    let foreign = try model.manifest(of: second).envelope
    try rewrite("\(client.path)/models/tiny/versions/\(first.text)/manifest.json") { $0 = foreign }
    await #expect(throws: InstallError.otherManifest(first)) { try await client.rollBack() }
    #expect(try client.active() == "2.0.0")
  }
}

// What becomes of versions when trust changes.
extension VersionSwitchTests {
  @Test(arguments: [true, false])
  func `a version whose key is withdrawn does not become active, and the active one stays`(
    isRollback: Bool
  ) async throws {
    let client = client.trusting(
      try TrustPolicy(
        keys: [client.signer.trusted()],
        rules: client.policy.rules,
        withdrawnKeys: [client.signer.fingerprint: "lost"]
      )
    )
    let refusal = TrustError.noCurrentSigner(
      [IgnoredSigner(key: client.signer.trusted(), reason: .withdrawn("lost"))],
      rules: client.policy.rules
    )
    await #expect(throws: refusal) {
      if isRollback { try await client.rollBack() } else { try await client.activate("1.0.0") }
    }
    #expect(try client.active() == "2.0.0")
    #expect(try client.model().status().state == .active)
    #expect(try client.has(two))
  }

  @Test func `a withdrawn release does not become active`() async throws {
    let digest = try client.model().activeRecord().previous?.manifest ?? .ofNothing
    let client = client.trusting(
      try TrustPolicy(
        keys: [client.signer.trusted()],
        rules: client.policy.rules,
        withdrawnManifests: [digest: "wrong tokenizer"]
      )
    )
    let refusal = TrustError.withdrawnManifest(digest, reason: "wrong tokenizer")
    await #expect(throws: refusal) { try await client.rollBack() }
    // The way out of a withdrawn active version is open.
    #expect(try client.active() == "2.0.0")
  }

  @Test func `the way from a withdrawn release back to a good one is open`() async throws {
    let digest = try client.model().activeRecord().active.manifest
    let client = client.trusting(
      try TrustPolicy(
        keys: [client.signer.trusted()],
        rules: client.policy.rules,
        withdrawnManifests: [digest: "wrong tokenizer"]
      )
    )
    try await client.rollBack()
    #expect(try client.active() == "1.0.0")
  }

  @Test func `a key that has ended since still vouches for what was accepted before`() async throws
  {
    let client = client.trusting(
      try TrustPolicy()
        .adding([client.signer.trusted(until: client.now)], for: ModelPattern("*"), threshold: 1),
      at: try Timestamp("2027-01-01T00:00:00Z")
    )
    try await client.rollBack()
    #expect(try client.active() == "1.0.0")
    // Without the stamp nobody knows when the version was accepted.
    let name = try client.model().versionName(two.version).text
    try Folder(path: "\(client.path)/models/tiny/stamps").removeFile("\(name).json")
    let key = try #require(client.policy.keys.values.first)
    let refusal = TrustError.noCurrentSigner(
      [IgnoredSigner(key: key, reason: .ended(try #require(key.notAfter)))],
      rules: client.policy.rules
    )
    await #expect(throws: refusal) { try await client.rollBack() }
    #expect(try client.active() == "1.0.0")
  }

  @Test func `nobody trusts a version whose rule is gone`() async throws {
    let client = client.trusting(TrustPolicy())
    await #expect(
      throws: TrustError.untrustedSigner(claimed: [client.signer.fingerprint.description])
    ) { try await client.rollBack() }
    #expect(try client.active() == "2.0.0")
  }
}
