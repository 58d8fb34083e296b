import Digests
import Manifests
import ReleaseSimulator
import Testing
import Trust

/// The newest release that is wanted and that this client can run.
struct ReleaseChoiceTests {
  private let model: ModelName
  private let signer: SimulatedSigner
  private let policy: TrustPolicy

  init() throws {
    model = try ModelName("tiny")
    signer = try SimulatedSigner("release")
    policy = try .trusting([signer])
  }

  private func release(_ version: String, needs build: String? = nil) throws -> SimulatedRelease {
    var release = try SimulatedRelease.tiny(version)
    if let build {
      release.runtimes = [
        try RuntimeRequirement(
          name: RuntimeName("llama.cpp"),
          scheme: .build,
          minimum: build,
          because: []
        )
      ]
    }
    return release
  }

  private func entry(_ version: String, _ channels: String...) throws -> ReleaseEntry {
    let release = try SimulatedRelease.tiny(version).release()
    return ReleaseEntry(
      release,
      channels: Set(try (channels.isEmpty ? ["stable"] : channels).map { try ChannelName($0) })
    )
  }

  private func demand(_ range: ReleaseRange = .any, channel: String? = "stable") throws
    -> ReleaseDemand
  {
    ReleaseDemand(channel: try channel.map { try ChannelName($0) }, range: range)
  }

  private func accepted(_ release: SimulatedRelease) throws -> AcceptedManifest {
    try policy.accept(release.manifest(signedBy: [signer]), at: Samples.now)
  }

  private func withdrawn(_ version: String) throws -> WithdrawnReleases {
    try WithdrawnReleases().adding(withdrawal(version))
  }

  private func withdrawal(_ version: String) throws -> WithdrawnRelease {
    WithdrawnRelease(
      model: model,
      version: try Version(version),
      manifest: try SimulatedRelease.tiny(version).digest(),
      reason: "wrong",
      time: Samples.now
    )
  }

  private func candidate(
    _ demand: ReleaseDemand,
    among entries: [ReleaseEntry],
    withdrawn: WithdrawnReleases = WithdrawnReleases()
  ) throws -> String {
    try ReleaseChoice(demand, of: model, among: entries, withdrawn: withdrawn)
      .candidate.version.text
  }

  @Test func `the newest release of the channel and the range is looked at first`() throws {
    let entries = [
      try entry("1.2.0"), try entry("1.10.0"), try entry("2.0.0-rc.1", "beta"),
      try entry("2.0.0", "beta", "next"), try entry("1.11.0", "none"),
    ]
    #expect(try candidate(demand(), among: entries) == "1.10.0")
    #expect(try candidate(demand(channel: "beta"), among: entries) == "2.0.0")
    #expect(try candidate(demand(channel: nil), among: entries) == "2.0.0")
    #expect(try candidate(demand(ReleaseRange("1.2")), among: entries) == "1.2.0")
    let exact = try demand(ReleaseRange("1.11.0"), channel: nil)
    #expect(try candidate(exact, among: entries) == "1.11.0")
  }

  @Test func `other models do not matter`() throws {
    let other = ReleaseEntry(
      model: try ModelName("other"),
      version: try Version("9.0.0"),
      channels: [.stable],
      released: Samples.now
    )
    #expect(try candidate(demand(), among: [other, entry("1.0.0")]) == "1.0.0")
  }

  @Test func `a withdrawn release is never chosen, even if it is listed`() throws {
    let entries = [try entry("1.0.0"), try entry("1.1.0")]
    #expect(
      try candidate(demand(), among: entries, withdrawn: withdrawn("1.1.0")) == "1.0.0"
    )
    #expect(throws: RepositoryError.withdrawn(try withdrawal("1.1.0"))) {
      try candidate(
        demand(ReleaseRange("1.1.0"), channel: nil),
        among: entries,
        withdrawn: withdrawn("1.1.0")
      )
    }
  }

  @Test func `where nothing fits, what there is is told`() throws {
    let entries = [try entry("1.1.0", "beta"), try entry("1.0.0", "beta")]
    let wanted = try demand()
    #expect(
      throws: RepositoryError.noRelease(model, wanted, among: [entries[1], entries[0]])
    ) { try candidate(wanted, among: entries) }
    let exact = try demand(ReleaseRange("3.0.0"), channel: nil)
    #expect(throws: RepositoryError.noRelease(model, exact, among: [])) {
      try candidate(exact, among: [])
    }
  }

  @Test func `newer releases that this client cannot run are passed over and named`() throws {
    let statements = [try RuntimeStatement("llama.cpp=b5000")]
    var choice = try ReleaseChoice(
      demand(),
      of: model,
      among: [entry("1.0.0"), entry("1.1.0"), entry("1.2.0")],
      withdrawn: WithdrawnReleases()
    )
    for (version, build) in [("1.2.0", "b7000"), ("1.1.0", "b6000")] {
      #expect(choice.candidate.version.text == version)
      let manifest = try accepted(release(version, needs: build))
      #expect(try choice.consider(manifest, given: statements) == nil)
    }
    let last = try accepted(release("1.0.0", needs: "b4000"))
    #expect(try choice.consider(last, given: statements) == last)
    #expect(choice.passed.map(\.version.text) == ["1.2.0", "1.1.0"])
    guard case .runtime(let verdict) = choice.passed[0].reason else {
      Issue.record("the runtime is the reason")
      return
    }
    #expect(verdict.state == .tooOld)
  }

  @Test func `without a stated runtime only a release that needs none is chosen`() throws {
    var choice = try ReleaseChoice(
      demand(),
      of: model,
      among: [entry("1.0.0"), entry("1.1.0")],
      withdrawn: WithdrawnReleases()
    )
    #expect(try choice.consider(accepted(release("1.1.0", needs: "b1")), given: []) == nil)
    let plain = try accepted(release("1.0.0"))
    #expect(try choice.consider(plain, given: []) == plain)
  }

  @Test func `a release that is only fetched may need any runtime`() throws {
    var choice = try ReleaseChoice(
      demand(),
      of: model,
      among: [entry("1.0.0")],
      withdrawn: WithdrawnReleases()
    )
    let manifest = try accepted(release("1.0.0", needs: "b1"))
    #expect(try choice.consider(manifest, given: nil) == manifest)
  }

  @Test func `where none can be run, each is told with its reason`() throws {
    var choice = try ReleaseChoice(
      demand(),
      of: model,
      among: [entry("1.0.0"), entry("1.1.0")],
      withdrawn: WithdrawnReleases()
    )
    try choice.passWithdrawn(reason: "mine")
    let manifest = try accepted(release("1.0.0", needs: "b1"))
    let verdict = manifest.release.runtimeVerdict(given: [])
    let expected = RepositoryError.noUsableRelease(
      model,
      [
        .init(version: try Version("1.1.0"), reason: .withdrawn("mine")),
        .init(version: try Version("1.0.0"), reason: .runtime(verdict)),
      ]
    )
    #expect(throws: expected) { try choice.consider(manifest, given: []) }
  }

  @Test func `a manifest that is not the one of the entry is refused`() throws {
    let listed = try entry("1.0.0")
    for (manifest, index) in [(try release("1.0.1"), 0), (try later("1.0.0"), 1)] {
      var choice = try ReleaseChoice(
        demand(),
        of: model,
        among: [listed],
        withdrawn: WithdrawnReleases()
      )
      let found = ReleaseEntry(try manifest.release(), channels: listed.channels)
      #expect(throws: RepositoryError.contradiction(listed, found: found), "case \(index)") {
        try choice.consider(accepted(manifest), given: nil)
      }
    }
  }

  private func later(_ version: String) throws -> SimulatedRelease {
    var release = try SimulatedRelease.tiny(version)
    release.released = Samples.time(1)
    return release
  }
}
