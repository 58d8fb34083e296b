import Testing
import Transfers

@Suite struct RedirectTrailTests {
  private func trail(_ url: String, allowsDowngrade: Bool = false) throws -> RedirectTrail {
    RedirectTrail(from: try TransferURL(url), allowsDowngrade: allowsDowngrade)
  }

  @Test func `five hops are followed and a sixth is not`() throws {
    var trail = try trail("https://a.example/0")
    for hop in 1...5 { _ = try trail.follow(Array("/\(hop)?secret=\(hop)".utf8)) }
    let chain = (0...6).map { "https://a.example/\($0)" }
    #expect(throws: MirrorFault.tooManyRedirects(chain: chain)) {
      _ = try trail.follow(Array("/6".utf8))
    }
  }

  @Test func `a loop is named`() throws {
    var trail = try trail("http://a.example/1")
    _ = try trail.follow(Array("/2".utf8))
    let chain = ["http://a.example/1", "http://a.example/2", "http://a.example/1"]
    #expect(throws: MirrorFault.redirectLoop(chain: chain)) {
      _ = try trail.follow(Array("/1".utf8))
    }
  }

  @Test func `https leads to http only if allowed`() throws {
    var strict = try trail("https://a.example/1")
    let chain = ["https://a.example/1", "http://b.example/2"]
    #expect(throws: MirrorFault.redirectToHTTP(chain: chain)) {
      _ = try strict.follow(Array("http://b.example/2".utf8))
    }
    var lenient = try trail("https://a.example/1", allowsDowngrade: true)
    #expect(try lenient.follow(Array("http://b.example/2".utf8)).scheme == .http)
    var upward = try trail("http://a.example/1")
    #expect(try upward.follow(Array("https://a.example/1".utf8)).scheme == .https)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://a.example/x", "gopher://a.example/x", "http://"])
  func `other schemes are refused`(location: String) throws {
    var trail = try trail("http://a.example/1")
    let fault = MirrorFault.redirectElsewhere(chain: ["http://a.example/1"], target: location)
    #expect(throws: fault) { _ = try trail.follow(Array(location.utf8)) }
  }
}
