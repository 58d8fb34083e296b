import Foundation
import TestSupport
import Testing

/// From `sealift-publish repo` over nginx, set up as README.md says, to `sealift`.
@Suite(
  .temporaryFolder,
  .timeLimit(.minutes(10)),
  .enabled(if: NginxMirror.isAvailable, "needs nginx"),
  .enabled(if: Tool.installed("openssl") != nil, "needs openssl")
)
struct RepositoryEndToEndTests {
  @Test(arguments: [[], ["--bins"]])
  func `a client follows releases, is told of a withdrawal, and goes back to what is current`(
    options: [String]
  ) async throws {
    let served =
      try await options.isEmpty ? ServedRepository() : ServedRepository("--bins")
    let client = served.home
    try await served.add("1.0.0")
    try await served.pin(client)
    try await served.expect("1.0.0", after: "install", "acme/tiny", of: client)
    #expect(try await served.ask(client, "outdated").ending == .exited(0))

    try await served.add("1.1.0")
    let outdated = try await served.ask(client, "outdated")
    #expect(outdated.ending == .exited(10), "\(outdated.errors)")
    #expect(outdated.output.contains("1.1.0 is newer in the channel stable"), "\(outdated.output)")
    try await served.expect("1.1.0", after: "update", of: client)

    try await ServedRepository.repo(
      ["withdraw", "public", "acme/tiny@1.1.0", "--reason", "wrong tokenizer"]
        + ["--key", "keys/owner.key"]
    )
    let told = try await served.ask(client, "outdated")
    #expect(told.ending == .exited(10), "\(told.errors)")
    let status = try await client.run(["status"])
    let words = "1.1.0 is no longer accepted: the release is withdrawn: wrong tokenizer"
    #expect(status.output.contains(words), "\(status.output)")
    let audit = try await client.run(["audit"])
    #expect(audit.ending == .exited(10), "\(audit.errors)")
    #expect(audit.output.contains("manifestWithdrawn"), "\(audit.output)")
    let refused = try await served.ask(client, "install", "acme/tiny@1.1.0")
    refused.expectRefusal(6, "acme/tiny 1.1.0 is withdrawn: wrong tokenizer")
    #expect(client.oracle().versions == ["1.0.0", "1.1.0"])
    try await served.expect("1.0.0", after: "update", of: client)

    await served.nginx.stop()
    let paths = try served.nginx.requests().map(\.path)
    let isIndexed = paths.contains { $0.hasPrefix("/targets/index/") }
    #expect(isIndexed == !options.isEmpty, "\(paths)")
    #expect(paths.contains { $0.hasPrefix("/blobs/sha256/") }, "\(paths)")
  }

  @Test func `all keys are rotated three times, and clients follow from the first root`()
    async throws
  {
    let served = try await ServedRepository()
    let client = served.home
    try await served.add("1.0.0")
    try await served.pin(client)
    try await served.expect("1.0.0", after: "install", "acme/tiny", of: client)
    var last = "owner"
    for generation in 1...3 {
      let next = "generation-\(generation)"
      try RepositoryBench.key(next)
      try await ServedRepository.repo(
        ["rotate", "public", "all", "--add", "keys/\(next).pub", "--remove", "keys/\(last).pub"]
          + ["--key", "keys/\(last).key", "--key", "keys/\(next).key"]
      )
      last = next
    }
    try await served.add("1.1.0", key: last)
    try await served.expect("1.1.0", after: "update", of: client)
    let fresh = try served.client("fresh")
    try await served.pin(fresh)
    try await served.expect("1.1.0", after: "install", "acme/tiny", of: fresh)

    await served.nginx.stop()
    let requests = try served.nginx.requests()
    for version in 2...4 {
      let found = requests.count {
        $0.path == "/metadata/\(version).root.json" && $0.status == 200
      }
      #expect(found == 2, "\(version).root.json")
    }
  }

  @Test(.enabled(if: Tool.installed("faketime") != nil, "needs faketime"))
  func `a mirror with the metadata of last month is refused, and the next one is used`()
    async throws
  {
    // A timestamp is good for 30 days.
    let served = try await ServedRepository(inPast: "35d")
    try await served.add("1.0.0", inPast: "35d")
    let stale = try await served.copy("stale")
    try await served.add("1.1.0")

    let alone = try served.client("alone")
    try await served.pin(alone, stale)
    let refused = try await served.ask(alone, "install", "acme/tiny")
    #expect(refused.ending == .exited(6), "\(refused.errors)")
    #expect(refused.errors.contains("TUF 5.4.4"), "\(refused.errors)")
    #expect(refused.errors.contains("expired"), "\(refused.errors)")
    #expect(alone.oracle().versions.isEmpty)

    let client = served.home
    try await served.pin(client, stale, served.nginx)
    let installed = try await served.expect("1.1.0", after: "install", "acme/tiny", of: client)
    #expect(installed.errors.contains("\(stale.url)/metadata/: timestamp.json: refused"))
    try await served.add("1.2.0")
    let updated = try await served.expect("1.2.0", after: "update", of: client)
    #expect(updated.errors.contains("\(stale.url)/metadata/: timestamp.json: refused"))
    await stale.stop()
    #expect(try stale.requests().contains { $0.path == "/metadata/timestamp.json" })
  }

  @Test
  func `what README sets up serves no name with a dot, takes no writes, and says what to keep`()
    async throws
  {
    _ = try await RepositoryBench.make()
    let folder = TemporaryFolder.path("public")
    let nginx = try await NginxMirror(
      folder: folder,
      NginxOptions(server: ServedRepository.readme())
    )
    #expect(isThere("public/.sealift/publish.lock"))
    try place(Array("{}".utf8), at: "public/metadata/.hidden.json")
    let client = try WireClient(port: nginx.port, patience: .seconds(120))
    for path in ["/.sealift/publish.lock", "/%2esealift/publish.lock", "/metadata/.hidden.json"] {
      #expect(try client.request(path).status == 404, "\(path)")
    }
    let kept = "public, max-age=31536000, immutable"
    for (path, words) in [
      ("/metadata/timestamp.json", "no-cache"), ("/metadata/root.json", "no-cache"),
      ("/metadata/1.root.json", kept), ("/metadata/1.targets.json", kept),
    ] {
      let answer = try client.request(path)
      let bytes = try contents("public\(path)")
      #expect(answer.status == 200 && answer.body == bytes, "\(path)")
      #expect(answer.value("Cache-Control") == words, "\(path)")
      let writer = try WireClient(port: nginx.port, patience: .seconds(120))
      #expect(try writer.request(path, method: "DELETE").status == 403, "\(path)")
    }
    await nginx.stop()
  }
}
