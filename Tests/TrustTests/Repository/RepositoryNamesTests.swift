import Manifests
import Testing
import Trust

/// The names and paths of a repository.
struct RepositoryNamesTests {
  private static let badNames: [(text: String, fault: TextFault)] = [
    ("", .empty), (".hidden", .startsWith(0x2E)), ("-x", .startsWith(0x2D)),
    ("a/b", .badByte(0x2F, offset: 1)), ("..", .startsWith(0x2E)),
    ("a b", .badByte(0x20, offset: 1)),
    ("é", .badByte(0xC3, offset: 0)), ("a+b", .badByte(0x2B, offset: 1)),
    (String(repeating: "a", count: 64), .tooLong(limit: 63)),
  ]

  @Test(arguments: badNames)
  func `a name of a repository is one component of a path`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.repository, text, fault))) {
      try RepositoryName(text)
    }
  }

  @Test
  func `names of repositories may have letters of both cases, and collide without regard to it`()
    throws
  {
    let longest = String(repeating: "a", count: 63)
    for text in ["Models.example.com", "127.0.0.1", "0", longest] {
      #expect(try RepositoryName(text).text == text)
    }
    #expect(try RepositoryName("Acme").collides(with: RepositoryName("acme")))
    #expect(try !RepositoryName("acme").collides(with: RepositoryName("acme-2")))
    #expect(try RepositoryName("Acme") < RepositoryName("acme"))
    #expect(try "\(RepositoryName("acme"))" == "acme")
  }

  private static let badChannels: [(text: String, fault: TextFault)] = [
    ("", .empty), ("Stable", .badByte(0x53, offset: 0)), (".x", .startsWith(0x2E)),
    ("x-", .endsWith(0x2D)), ("a/b", .badByte(0x2F, offset: 1)),
    (String(repeating: "a", count: 33), .tooLong(limit: 32)),
  ]

  @Test(arguments: badChannels)
  func `a channel is a short word in lower case`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.channel, text, fault))) {
      try ChannelName(text)
    }
  }

  @Test func `channels are ordered by their bytes`() throws {
    #expect(try ChannelName("stable") == .stable)
    #expect(try ChannelName("beta") < .stable)
    #expect("\(ChannelName.stable)" == "stable")
    #expect(throws: Never.self) { try ChannelName("2026.q1_x-y") }
  }

  @Test func `a release has one path, which tells it again`() throws {
    for (model, version) in [("tiny", "1.0.0"), ("acme/tiny-chat", "2.0.0-rc.1")] {
      let (model, version) = (try ModelName(model), try Version(version))
      let path = RepositoryPath.manifest(of: model, version)
      let found = try #require(RepositoryPath.release(at: path))
      #expect(found.model == model && found.version == version)
    }
    let chat = try ModelName("acme/tiny-chat")
    #expect(
      RepositoryPath.manifest(of: chat, try Version("1.0.0"))
        == "manifests/acme+tiny-chat/1.0.0.json"
    )
    #expect(RepositoryPath.index(of: chat) == "index/acme+tiny-chat.json")
  }

  @Test(arguments: [
    "policy.json", "manifests/tiny/1.0.0", "manifests/tiny/1.0.json", "manifests/Tiny/1.0.0.json",
    "manifests/acme/tiny/1.0.0.json", "manifests/a+b+c/1.0.0.json", "Manifests/tiny/1.0.0.json",
    "manifests//1.0.0.json", "manifests/tiny/.json", "manifests/tiny/1.0.0.JSON",
    "manifests/tiny/1.0.0.json/", "/manifests/tiny/1.0.0.json", "manifests/tiny/1.0.0+b.json",
  ])
  func `no other path is that of a release`(path: String) {
    #expect(RepositoryPath.release(at: path) == nil)
  }
}
