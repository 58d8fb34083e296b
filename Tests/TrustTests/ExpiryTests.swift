import Digests
import Manifests
import ReleaseSimulator
import Signatures
import Testing
import Trust

/// A release is not installed from the second on at which it says that it expires.
struct ExpiryTests {
  private let now = Samples.now

  @Test(arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)])
  func `a manifest is refused from the second of its expiry on`(
    offset: Int64,
    isAccepted: Bool
  ) throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a])
    let bytes = try Samples.release(expires: now).manifest(signedBy: [a])
    let time = Samples.time(offset)
    let found = error { () throws(TrustError) in try policy.accept(bytes, at: time) }
    #expect(found == (isAccepted ? nil : .expired(now, now: time)))
  }
}
