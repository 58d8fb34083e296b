import TestSupport
import Testing
import Transfers

/// Secrets go to the origin that they are for, and to no other.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct CredentialTests {
  private func authorization(_ mirror: FaultyMirror) -> [String?] {
    mirror.requests.map { $0.fields.value("Authorization") }
  }

  @Test func `a bearer token goes to its origin, not to the port beside it`() async throws {
    var shipment = Shipment()
    let (own, other) = (try shipment.mirror(.status(500)), try shipment.mirror())
    try shipment.options.credentials.add(bearer: "secret-7", for: own.url)
    #expect(try await shipment.fetch(from: [own.url, other.url]).error == nil)
    #expect(authorization(own) == ["Bearer secret-7"])
    #expect(authorization(other) == [nil])
  }

  @Test func `a netrc entry goes to the mirror's own origin and not where it leads`() async throws {
    var shipment = Shipment()
    let target = try shipment.mirror()
    let mirror = try shipment.mirror(.redirect(to: target.url))
    let netrc = """
      # mine
      machine example.com login x password y
      machine 127.0.0.1
        login "me too" password p\\"w
      """
    try shipment.options.credentials.add(netrc: Array(netrc.utf8))
    #expect(try await shipment.fetch(from: [mirror.url]).error == nil)
    #expect(authorization(mirror) == ["Basic bWUgdG9vOnBcInc="])
    #expect(authorization(target) == [nil])
  }

  @Test(arguments: ["login me", "machine", "machine a login", "machine a pass word", "secret"])
  func `what is no netrc file is refused by the number of its entry`(text: String) {
    var credentials = FetchCredentials()
    #expect(throws: FetchCredentials.NetrcError.self) {
      try credentials.add(netrc: Array(text.utf8))
    }
  }

  @Test(arguments: [
    ("a b", "https://a"), ("", "https://a"), ("a\r\nX: y", "https://a"), ("a", "file:///a"),
    ("a", "a"),
  ])
  func `a token that no field may have, or for no origin, is refused`(token: String, url: String) {
    var credentials = FetchCredentials()
    #expect(throws: MirrorFault.self) { try credentials.add(bearer: token, for: url) }
  }
}
