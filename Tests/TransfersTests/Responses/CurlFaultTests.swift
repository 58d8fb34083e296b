import Glibc
import TestSupport
import Testing
import Transfers

@Suite struct CurlFaultTests {
  private func kind(_ code: UInt32, _ systemCode: CInt = 0) -> MirrorFault.Kind {
    mirrorFault(of: code, host: "h", systemCode: systemCode, reason: "r").kind
  }

  @Test(
    .rows("F2"),
    arguments: [7, 16, 18, 23, 26, 27, 28, 35, 52, 55, 56, 65, 92, 95, 99, 12345] as [UInt32]
  )
  func `what may pass is transient, what nobody knows too`(code: UInt32) {
    #expect(kind(code) == .transient)
  }

  @Test(arguments: [58, 60, 77, 82, 83, 90, 91] as [UInt32])
  func `a certificate that does not hold is told as such`(code: UInt32) {
    #expect(kind(code) == .certificate)
  }

  @Test func `a name that does not resolve and a missing route mean offline`() {
    #expect(kind(6) == .offline)
    #expect(kind(5) == .offline)
    #expect(kind(7, ENETUNREACH) == .offline)
    #expect(kind(7, EHOSTUNREACH) == .offline)
    #expect(kind(7, ECONNREFUSED) == .transient)
  }

  @Test func `a proxy that does not resolve is named, and not the mirror`() {
    let fault = mirrorFault(of: 5, host: "h", systemCode: 0, reason: "Could not resolve proxy: p")
    #expect(fault.description == "the proxy was not found: Could not resolve proxy: p")
  }

  @Test(arguments: [
    ("Failed to connect to ::1 port 80 after 3 ms: Couldn't connect to server", "::1:80"),
    ("Failed to connect to a.test port 65535 after 0 ms: Couldn't connect", "a.test:65535"),
    ("Failed to connect to a.test port x after 0 ms: Couldn't connect", nil),
    ("Failed to connect to a.test", nil), ("Connection timed out after 10 ms", nil), ("", nil),
  ])
  func `the place that was not reached is read from libcurl's words`(words: String, place: String?)
  {
    #expect(unreachedPlace(in: words) == place)
  }

  @Test(arguments: [1, 3, 8] as [UInt32])
  func `what cannot be asked or is no answer breaks the protocol`(code: UInt32) {
    #expect(kind(code) == .protocolViolation)
  }
}
