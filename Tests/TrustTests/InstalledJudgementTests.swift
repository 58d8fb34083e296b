import Manifests
import ReleaseSimulator
import Testing
import Trust

/// How the manifest of a release is judged that was accepted before.
@Suite struct InstalledJudgementTests {
  private let signer: SimulatedSigner
  private let release: SimulatedRelease

  init() throws {
    signer = try SimulatedSigner("release")
    var release = try SimulatedRelease.tiny()
    release.details.expires = try Timestamp("2027-01-01T00:00:00Z")
    self.release = release
  }

  private func time(_ year: Int) throws -> Timestamp { try Timestamp("\(year)-06-01T00:00:00Z") }

  private func policy(until end: Timestamp? = nil) throws -> TrustPolicy {
    try TrustPolicy().adding([signer.trusted(until: end)], for: ModelPattern("*"), threshold: 1)
  }

  private func refusals(
    _ policy: TrustPolicy,
    acceptedAt: Timestamp?,
    at now: Timestamp
  ) throws -> [TrustError] {
    let bytes = try release.manifest(signedBy: [signer])
    return policy.judgement(onInstalled: bytes, acceptedAt: acceptedAt, at: now).refusals
  }

  @Test func `what was accepted while its key counted stays accepted`() throws {
    let policy = try policy(until: time(2025))
    #expect(try refusals(policy, acceptedAt: time(2024), at: time(2026)) == [])
  }

  @Test func `a key that had ended before counts no more, and neither does one at an unknown time`()
    throws
  {
    let end = try time(2023)
    let key = signer.trusted(until: end)
    let policy = try policy(until: end)
    let refused = TrustError.noCurrentSigner(
      [IgnoredSigner(key: key, reason: .ended(end))],
      rules: policy.rules
    )
    #expect(try refusals(policy, acceptedAt: time(2024), at: time(2026)) == [refused])
    #expect(try refusals(policy, acceptedAt: nil, at: time(2026)) == [refused])
  }

  @Test func `a first acceptance after the time of judgement vouches for nothing`() throws {
    let policy = try policy(until: time(2025))
    #expect(try refusals(policy, acceptedAt: time(2026), at: time(2024)) == [])
    #expect(try refusals(policy, acceptedAt: time(2026), at: time(2026)) != [])
  }

  @Test func `the end of the release is judged now, whenever it was accepted`() throws {
    let expires = try #require(release.details.expires)
    #expect(
      try refusals(policy(), acceptedAt: time(2024), at: time(2028))
        == [.expired(expires, now: time(2028))]
    )
  }

  @Test func `an end is told once where it was there at the first acceptance already`() throws {
    #expect(try refusals(policy(), acceptedAt: time(2028), at: time(2029)).count == 1)
    #expect(try refusals(policy(), acceptedAt: nil, at: time(2029)).count == 1)
  }

  @Test func `a lost signer does not hide the end of the release`() throws {
    let policy = try policy(until: time(2023))
    let found = try refusals(policy, acceptedAt: time(2024), at: time(2028))
    #expect(found.count == 1, "the end is read of what a counting key signed")
    let two = try policy.withdrawn(signer, "stolen")
    #expect(try refusals(two, acceptedAt: time(2022), at: time(2028)).count == 1)
  }
}

extension TrustPolicy {
  fileprivate func withdrawn(_ signer: SimulatedSigner, _ reason: String) throws -> TrustPolicy {
    try TrustPolicy(
      keys: Array(keys.values),
      rules: rules,
      withdrawnKeys: [signer.fingerprint: reason]
    )
  }
}
