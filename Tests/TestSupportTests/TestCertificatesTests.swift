import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: Tool.installed("openssl") != nil))
struct TestCertificatesTests {
  private func verify(_ certificates: TestCertificates, _ name: [String]) async throws
    -> ToolOutcome
  {
    let openssl = try #require(Tool.installed("openssl"))
    return try await openssl.run(
      ["verify", "-CAfile", certificates.authority, "-purpose", "sslserver"] + name
        + [certificates.certificate]
    )
  }

  @Test(arguments: [["-verify_ip", "127.0.0.1"], ["-verify_hostname", "localhost"]])
  func `the authority vouches for the loopback names`(name: [String]) async throws {
    let outcome = try await verify(TestCertificates(), name)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
  }

  @Test func `a certificate for another name is refused`() async throws {
    let other = try await TestCertificates(names: "DNS:mirror.example")
    let outcome = try await verify(other, ["-verify_ip", "127.0.0.1"])
    #expect(outcome.errors.contains("IP address mismatch"))
  }

  @Test func `an expired certificate is refused`() async throws {
    let outcome = try await verify(TestCertificates(isExpired: true), [])
    #expect(outcome.errors.contains("certificate has expired"))
  }
}
