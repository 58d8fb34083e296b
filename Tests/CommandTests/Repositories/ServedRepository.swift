import Foundation
import TestSupport
import Testing

/// A repository that the built `sealift-publish` makes, behind nginx as README.md sets it up, and its clients.
struct ServedRepository {
  let home: ConsumerHome
  let nginx: NginxMirror
  private let certificates: TestCertificates

  /// Makes `public` with the key `owner`, which the release key `release` serves for `acme/*`, and serves it.
  init(_ options: String..., inPast: String? = nil) async throws {
    home = try ConsumerHome()
    certificates = try await TestCertificates()
    try RepositoryBench.key("owner")
    try RepositoryBench.key("release")
    try await Self.repo(
      ["init", "public", "--key", "keys/owner.key", "--trust", "keys/release.pub"]
        + ["--models", "acme/*"] + options,
      inPast: inPast
    )
    nginx = try await Self.serve("public", certificates)
  }

  /// The server block of README.md for a repository.
  static func readme() throws -> String {
    let text = try String(contentsOf: Repository.path("README.md"), encoding: .utf8)
    let blocks = text.matches(of: /```nginx\n(server \{\n(?:.*\n)*?\})\n```/).map { String($0.1) }
    return try #require(blocks.first { $0.contains("timestamp|root") })
  }

  private static func serve(
    _ tree: String,
    _ certificates: TestCertificates
  ) async throws -> NginxMirror {
    try await NginxMirror(
      folder: TemporaryFolder.path(tree),
      NginxOptions(certificates: certificates, server: readme())
    )
  }

  /// Serves a copy of the tree as it is now, which does not follow it any more.
  func copy(_ name: String) async throws -> NginxMirror {
    try RepositoryBench.copyTree(to: name)
    return try await Self.serve(name, certificates)
  }

  /// Runs `sealift-publish repo`, which must succeed; `inPast` sets its clock back, such as by `35d`.
  @discardableResult
  static func repo(_ words: [String], inPast: String? = nil) async throws -> ToolOutcome {
    guard let inPast else {
      let outcome = try await publish(["repo"] + words)
      try #require(outcome.exitCode == 0, "\(words): \(outcome.errors)")
      return outcome
    }
    var tool = try #require(Tool.installed("faketime"))
    tool.folder = TemporaryFolder.current
    // The clock is to be wrong, not what the file system says of times.
    tool.environment["NO_FAKE_STAT"] = "1"
    let publisher = try Tool.built("sealift-publish").path
    let outcome = try await tool.run(["-f", "-\(inPast)", publisher, "repo"] + words)
    try #require(outcome.exitCode == 0, "\(words): \(outcome.errors)")
    return outcome
  }

  /// Publishes a release of `acme/tiny` with its files.
  func add(_ version: String, key: String = "owner", inPast: String? = nil) async throws {
    let path = try RepositoryBench.manifest(
      "acme/tiny",
      version,
      by: home.signer,
      withFiles: true
    )
    try await Self.repo(
      ["add", "public", path, "--files", "files-\(version)", "--key", "keys/\(key).key"],
      inPast: inPast
    )
  }

  /// Makes a client beside the first.
  func client(_ name: String) throws -> ConsumerHome {
    let folder = TemporaryFolder.path(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return try ConsumerHome(folder)
  }

  /// Lets a client pin the first root; it asks these servers in this order.
  func pin(_ client: ConsumerHome, _ servers: NginxMirror...) async throws {
    let urls = (servers.isEmpty ? [nginx] : servers).map(\.url)
    let added = try await client.run(
      ["repo", "add", urls[0], "--root", TemporaryFolder.path("public/metadata/1.root.json")]
        + ["--models", "acme/*", "--name", "acme"] + urls.dropFirst().flatMap { ["--mirror", $0] }
    )
    try #require(added.ending == .exited(0), "\(added.errors)")
  }

  /// Runs a command of a client that asks the repository.
  func ask(_ client: ConsumerHome, _ words: String...) async throws -> ToolOutcome {
    try await client.run(words + ["--ca-bundle", certificates.authority])
  }

  /// Expects that a command succeeds and this version is active afterwards; returns what the command wrote.
  @discardableResult
  func expect(
    _ version: String,
    after words: String...,
    of client: ConsumerHome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ToolOutcome {
    let outcome = try await client.run(words + ["--ca-bundle", certificates.authority])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)", sourceLocation: sourceLocation)
    let status = try await client.run(["status", "acme/tiny"])
    #expect(
      status.output.hasPrefix("acme/tiny: active \(version)\n"),
      "\(status.output)\(status.errors)",
      sourceLocation: sourceLocation
    )
    return outcome
  }
}
