import Signatures
import Testing

struct FingerprintTests {
  @Test func `the fingerprints of the published keys are right`() throws {
    #expect(
      try SampleKeys.first().publicKey.fingerprint.description == SampleKeys.firstFingerprint
    )
    #expect(
      try SampleKeys.second().publicKey.fingerprint.description == SampleKeys.secondFingerprint
    )
  }

  @Test func `a written fingerprint is read again`() throws {
    let fingerprint = try SampleKeys.first().publicKey.fingerprint
    #expect(Fingerprint(SampleKeys.firstFingerprint) == fingerprint)
    #expect(Fingerprint(SampleKeys.secondFingerprint) != fingerprint)
  }

  @Test(arguments: [
    "",
    "SHA256:",
    "bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
    "sha256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8=",
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU",
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU9",
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8A",
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8 ",
    "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNb-8",
    "MD5:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
  ])
  func `another spelling is no fingerprint`(text: String) {
    #expect(Fingerprint(text) == nil)
  }
}
