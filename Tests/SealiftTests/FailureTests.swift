import Foundation
import Manifests
import ReleaseSimulator
import Sealift
import TestSupport
import Testing

/// Every failure has a sentence for people, and nothing of it tells secrets.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct FailureTests {
  private let application: Application

  init() throws { application = try Application() }

  @Test func `a manifest that another key has signed is not trusted`() async throws {
    let stranger = try SimulatedSigner("stranger")
    let manifest = try SimulatedRelease.tiny().manifest(signedBy: [stranger])
    let failure = try #require(
      await application.launch().install(.manifest(manifest)).last()?.failure
    )
    #expect(failure.reason == .notTrusted)
    #expect(
      failure.message == "The model is not signed by anybody whom this application trusts."
    )
    #expect(!failure.canRetry)
  }

  @Test func `bytes that are no manifest are not trusted`() async throws {
    let failure = try #require(
      await application.launch().install(.manifest(Array("<html>".utf8))).last()?.failure
    )
    #expect(failure.reason == .notTrusted)
  }

  @Test func `a runtime that is too old is told with what the model needs`() async throws {
    var application = application
    application.settings.runtimes = ["onnxruntime=1.0.0"]
    var release = try SimulatedRelease.tiny()
    release.runtimes = [
      try RuntimeRequirement(name: RuntimeName("onnxruntime"), scheme: .semver, minimum: "1.11.0")
    ]
    let source = try application.source(release, from: ["http://models.invalid/{name}"])
    let library = try application.launch()
    let failure = try #require(await library.install(source).last()?.failure)
    guard case .runtimeTooOld(let needs) = failure.reason else {
      Issue.record("\(failure.reason)")
      return
    }
    #expect(needs.contains("onnxruntime"))
    #expect(failure.message == "This application is too old for version 1.0.0 of the model.")
    await #expect(throws: ModelFailure.self) { try await library.plan(source) }
  }

  @Test func `an older version is refused, and accepted by those who ask for it`() async throws {
    #expect(try await application.install(.tiny("1.1.0")) == .active(version: "1.1.0"))
    let refused = try await application.install(.tiny("1.0.0"))
    #expect(refused?.failure?.reason == .olderVersion)
    var options = InstallOptions()
    options.allowsDowngrade = true
    #expect(try await application.install(.tiny("1.0.0"), options) == .active(version: "1.0.0"))
  }

  @Test func `nothing that is told has queries, tokens or paths of the user`() async throws {
    var application = application
    let mirror = try FaultyMirror(Application.large(), fault: .status(403))
    application.settings.tokens = [mirror.url: "SECRET-TOKEN"]
    let source = try application.source(
      Application.large(),
      from: ["\(mirror.template)?key=SECRET-QUERY"]
    )
    let failure = try #require(await application.launch().install(source).last()?.failure)
    #expect(failure.reason == .accessRefused)
    #expect(!failure.details.isEmpty)
    let secrets = ["SECRET-TOKEN", "SECRET-QUERY", TemporaryFolder.current]
    for text in [failure.message, failure.advice, "\(failure)"] + failure.details {
      for secret in secrets { #expect(!text.contains(secret), "\(text)") }
    }
    #expect(mirror.requests.allSatisfy { $0.hasAuthorization })
  }

  @Test func `a store that cannot be made is told without its path`() async throws {
    try Data().write(to: URL(filePath: application.storePath))
    let failure = try #require(try await application.install(.tiny())?.failure)
    for text in [failure.message, failure.advice] + failure.details {
      #expect(!text.contains(TemporaryFolder.current), "\(text)")
    }
  }

  @Test(arguments: [
    SignerRule(models: "*", keys: ["ed25519:nothing"]),
    SignerRule(models: "", keys: []),
    SignerRule(models: "*", keys: [], threshold: 0),
  ])
  func `rules that are none are a mistake of the application`(rule: SignerRule) {
    #expect(throws: ModelFailure.self) { try ModelLibrary(trust: .rules([rule])) }
  }

  @Test(arguments: ["no template", "https://example.com/{nonsense}?token=SECRET"])
  func `mirrors that are none are a mistake of the application`(mirror: String) throws {
    var settings = LibrarySettings()
    settings.mirrors = [mirror]
    let trust = LibraryTrust.rules([SignerRule(models: "*", keys: [application.key])])
    let failure = #expect(throws: ModelFailure.self) {
      try ModelLibrary(store: .folder("/nonexistent"), trust: trust, settings: settings)
    }
    #expect(failure?.reason == .invalidConfiguration)
    #expect(failure?.details.contains { $0.contains("SECRET") } == false)
  }

  @Test func `a relative path is no place for a store`() {
    #expect(throws: ModelFailure.self) {
      try ModelLibrary(store: .folder("models"), trust: .rules([]))
    }
  }
}
