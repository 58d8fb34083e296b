import Manifests
import Testing

struct RuntimeTests {
  private func requirement(
    _ scheme: RuntimeScheme,
    _ minimum: String,
    below: String? = nil,
    exclude: [String] = []
  ) throws -> RuntimeRequirement {
    try RuntimeRequirement(
      name: RuntimeName("r"),
      scheme: scheme,
      minimum: minimum,
      below: below,
      exclude: exclude
    )
  }

  @Test(
    arguments: [
      ("b0-unknown", "b6096", .undetermined), ("0", "b6096", .undetermined),
      ("", "b6096", .undetermined), ("unknown", "b1", .undetermined), ("b0", "b1", .undetermined),
      ("version: 10393 (abc)", "b10394", .tooOld), ("version: 10394 (abc)", "b10394", .satisfied),
      ("version: 0.2.0-dev (build 10573, commit abc)", "b10394", .satisfied),
      ("0.2.0-dev (build 10573, commit abc)", "b10574", .tooOld),
      ("b10573", "10573", .satisfied), ("10573", "b10573", .satisfied),
      ("b10573-1a2b3c4", "b10573", .satisfied), (" b10573\n", "b10573", .satisfied),
      ("b9999", "b10000", .tooOld), ("0.2.0", "b1", .undetermined),
      ("b10573x", "b1", .undetermined),
      ("b10573-", "b1", .undetermined), ("b", "b1", .undetermined), ("+5", "b1", .undetermined),
      ("b1234567890", "b1", .undetermined), ("bb7", "b1", .undetermined),
      ("b99999999999999999999999999", "b1", .undetermined),
    ] as [(String, String, RuntimeState)]
  )
  func `builds compare as numbers`(stated: String, minimum: String, state: RuntimeState) throws {
    let statement = RuntimeStatement(name: try RuntimeName("r"), version: stated)
    #expect(try requirement(.build, minimum).state(given: [statement]) == state)
  }

  @Test(
    arguments: [
      ("0.5.0", "0.4.9", .satisfied), ("v0.5.0", "0.5.0", .satisfied), ("0.5", "0.5.0", .satisfied),
      ("1", "1.0.0", .satisfied), ("0.5.0-dev", "0.5.0", .tooOld),
      ("0.5.0", "0.5.0-dev", .satisfied),
      ("0.5.0+cpu", "0.5.0", .satisfied), ("0.10.0", "0.9.0", .satisfied),
      ("version: 0.2.0-dev (build 10573, commit abc)", "0.1.0", .satisfied),
      ("version: 10393 (abc)", "0.2.0", .undetermined), ("b10393", "0.2.0", .undetermined),
      ("1.32rc1", "1.0.0", .undetermined), ("unknown", "1.0.0", .undetermined),
      ("1.2.3.4", "1.0.0", .undetermined), ("01.2.3", "1.0.0", .undetermined),
    ] as [(String, String, RuntimeState)]
  )
  func `semantic versions compare by precedence`(
    stated: String,
    minimum: String,
    state: RuntimeState
  ) throws {
    let statement = RuntimeStatement(name: try RuntimeName("r"), version: stated)
    #expect(try requirement(.semver, minimum).state(given: [statement]) == state)
  }

  /// A minimum that is itself a pre-release is how a publisher allows those of its version; `-0` allows them all.
  @Test(
    arguments: [
      ("0.5.0-dev", "0.5.0-0", .satisfied), ("0.5.0-rc.1", "0.5.0-0", .satisfied),
      ("v0.5.0-alpha", "0.5.0-0", .satisfied), ("0.5.0", "0.5.0-0", .satisfied),
      ("version: 0.5.0-dev (build 10573, commit abc)", "0.5.0-0", .satisfied),
      ("0.4.9", "0.5.0-0", .tooOld), ("0.4.9-dev", "0.5.0-0", .tooOld),
      ("0.5.0-rc.1", "0.5.0-dev", .satisfied), ("0.5.0-alpha", "0.5.0-dev", .tooOld),
      ("0.5.1-dev", "0.5.0", .satisfied), ("0.5.0-dev", "0.5.0", .tooOld),
      ("0.5.0-rc.1", "0.5.0", .tooOld),
    ] as [(String, String, RuntimeState)]
  )
  func `a pre-release counts as its version only where pre-releases are allowed`(
    stated: String,
    minimum: String,
    state: RuntimeState
  ) throws {
    let statement = RuntimeStatement(name: try RuntimeName("r"), version: stated)
    #expect(try requirement(.semver, minimum).state(given: [statement]) == state)
  }

  @Test(
    arguments: [
      ("17", "17.0", .satisfied), ("1.9", "1.10", .tooOld), ("1.10", "1.9", .satisfied),
      ("2026.4.1-22982-abc", "2026.4", .satisfied), ("1.32rc1", "1.0", .undetermined),
      ("17.0.0.1", "17", .satisfied), ("1.32.0+cu12", "1.32", .satisfied),
      ("0", "1", .undetermined),
      ("1..2", "1", .undetermined), ("v1.2", "1", .undetermined), ("", "1", .undetermined),
      ("99999999999999999999", "1", .undetermined),
      // Calendar versions are counted so too: the scheme of their own that some name is not known.
      ("2026.4.1", "2026.4.1", .satisfied), ("2026.4.1", "2026.10", .tooOld),
      ("2026.10.11549", "2026.4.8672", .satisfied), ("2025.12", "2026.1", .tooOld),
    ] as [(String, String, RuntimeState)]
  )
  func `dotted versions compare part by part`(
    stated: String,
    minimum: String,
    state: RuntimeState
  ) throws {
    let statement = RuntimeStatement(name: try RuntimeName("r"), version: stated)
    #expect(try requirement(.dotted, minimum).state(given: [statement]) == state)
  }

  @Test(
    arguments: [
      ("10.1.0", .satisfied), (" 10.1.0 ", .satisfied), ("10.1", .exactMismatch),
      ("10.1.0.0", .exactMismatch), ("", .undetermined), ("unknown", .undetermined),
    ] as [(String, RuntimeState)]
  )
  func `only the same text is exact`(stated: String, state: RuntimeState) throws {
    let statement = RuntimeStatement(name: try RuntimeName("r"), version: stated)
    #expect(try requirement(.exact, "10.1.0").state(given: [statement]) == state)
  }

  @Test(
    arguments: [
      (99, .tooOld), (100, .satisfied), (149, .satisfied), (150, .excluded), (155, .excluded),
      (160, .excluded), (161, .satisfied), (170, .excluded), (199, .satisfied), (200, .tooNew),
      (201, .tooNew),
    ] as [(Int, RuntimeState)]
  )
  func `the upper end is exclusive and excluded ranges are inclusive`(
    build: Int,
    state: RuntimeState
  ) throws {
    let requirement = try requirement(
      .build,
      "b100",
      below: "b200",
      exclude: ["b150..b160", "b170"]
    )
    let statement = try RuntimeStatement("r=b\(build)")
    #expect(requirement.state(given: [statement]) == state)
  }

  @Test func `a statement about another runtime is no answer`() throws {
    let requirement = try requirement(.build, "b1")
    #expect(requirement.state(given: []) == .undetermined)
    #expect(requirement.state(given: [try RuntimeStatement("other=b5")]) == .otherRuntime)
  }

  @Test func `the first of two statements about a runtime counts`() throws {
    let statements = [try RuntimeStatement("r=b5"), try RuntimeStatement("r=b500")]
    #expect(try requirement(.build, "b100").state(given: statements) == .tooOld)
  }

  @Test(
    arguments: [
      (["other=b1"], .otherRuntime), (["llama.cpp=b1"], .tooOld), (["llama.cpp=b200"], .satisfied),
      (["llama.cpp=b1", "ollama=0.30.0"], .satisfied),
      (["llama.cpp=b1", "ollama="], .undetermined),
      ([], .undetermined), (["ollama=0.1"], .tooOld),
    ] as [([String], RuntimeState)]
  )
  func `any one satisfied entry is enough`(texts: [String], state: RuntimeState) throws {
    let requirements = [
      try RuntimeRequirement(name: RuntimeName("llama.cpp"), scheme: .build, minimum: "b100"),
      try RuntimeRequirement(name: RuntimeName("ollama"), scheme: .semver, minimum: "0.30.0"),
    ]
    let statements = try texts.map { try RuntimeStatement($0) }
    let verdict = RuntimeVerdict(requirements: requirements, statements: statements)
    #expect(verdict.state == state)
    #expect(verdict.isSatisfied == (state == .satisfied))
  }

  @Test func `no requirement demands nothing`() {
    let verdict = RuntimeVerdict(requirements: [], statements: [])
    #expect(verdict.state == .satisfied)
    #expect(verdict.deciding == nil)
  }

  @Test func `a file may demand more than its release`() throws {
    let weights = FileEntry(
      path: try RelativePath("w"),
      size: 1,
      sha256: Samples.digest("w"),
      runtimes: [try requirement(.build, "b10")]
    )
    let release = try Samples.release([weights])
    #expect(release.runtimeVerdict(given: [try RuntimeStatement("r=b9")]).state == .tooOld)
    #expect(release.runtimeVerdict(given: [try RuntimeStatement("r=b10")]).isSatisfied)
    #expect(release.runtimeVerdict(given: []).state == .undetermined)
  }

  /// An engine is bound to the release that built it and to the device: the release demands one, the file the other.
  @Test(
    arguments: [
      (["tensorrt=10.1.0", "compute-capability=8.6"], .satisfied),
      (["tensorrt=10.1.0", "compute-capability=7.5"], .exactMismatch),
      (["tensorrt=10.1.1", "compute-capability=8.6"], .exactMismatch),
      (["tensorrt=10.1.0"], .otherRuntime), (["compute-capability=8.6"], .otherRuntime),
      (["tensorrt=10.1.0", "compute-capability="], .undetermined), ([], .undetermined),
    ] as [([String], RuntimeState)]
  )
  func `a release and its file may each demand a thing of its own`(
    texts: [String],
    state: RuntimeState
  ) throws {
    func exact(_ name: String, _ version: String) throws -> RuntimeRequirement {
      try RuntimeRequirement(name: RuntimeName(name), scheme: .exact, minimum: version)
    }
    let engine = FileEntry(
      path: try RelativePath("m.engine"),
      size: 1,
      sha256: Samples.digest("e"),
      runtimes: [try exact("tensorrt", "10.1.0")]
    )
    let release = try Release(
      model: ModelName("m"),
      version: Version("1.0.0"),
      released: Timestamp("2026-11-30T00:00:00Z"),
      files: [engine],
      runtimes: [exact("compute-capability", "8.6")]
    )
    let statements = try texts.map { try RuntimeStatement($0) }
    #expect(release.runtimeVerdict(given: statements).state == state)
  }

  @Test func `a refusal says what is needed, why, and what was found`() throws {
    let requirement = try RuntimeRequirement(
      name: RuntimeName("llama.cpp"),
      scheme: .build,
      minimum: "b7990",
      because: ["tokenizer pre \"x\u{1B}[31m\""]
    )
    let statements = [try RuntimeStatement("llama.cpp=b7000")]
    let verdict = RuntimeVerdict(requirements: [requirement], statements: statements)
    #expect(
      verdict.deciding?.description == "needs llama.cpp ≥ b7990 (tokenizer pre \"x\\u{1b}[31m\"), "
        + "you have b7000, which is too old"
    )
  }

  @Test(
    arguments: [
      (.build, "0", nil, []), (.build, "0.1.0", nil, []), (.build, "", nil, []),
      (.semver, "x", nil, []), (.dotted, "1.x", nil, []), (.exact, "", nil, []),
      (.build, "b1", "x", []), (.build, "b5", "b5", []), (.build, "b5", "b4", []),
      (.exact, "1", "2", []), (.build, "b1", nil, ["b9..b8"]), (.build, "b1", nil, ["..b8"]),
      (.build, "b1", nil, [""]), (.build, "b1", nil, ["b1...b3"]),
    ] as [(RuntimeScheme, String, String?, [String])]
  )
  func `a requirement that nothing can satisfy or read is refused`(
    scheme: RuntimeScheme,
    minimum: String,
    below: String?,
    exclude: [String]
  ) {
    #expect(throws: ManifestError.self) {
      try requirement(scheme, minimum, below: below, exclude: exclude)
    }
  }

  @Test(arguments: ["", "git-hash", "Build", "calver"])
  func `an unknown scheme is refused`(text: String) {
    let fault = TextFault.badForm(expected: "build, semver, dotted or exact")
    #expect(throws: ManifestError.text(TextProblem(.runtimeScheme, text, fault))) {
      try RuntimeScheme(text)
    }
  }

  @Test func `a statement is split at the first equals sign`() throws {
    let statement = try RuntimeStatement("llama.cpp=version: 1 (a=b)")
    #expect(statement.name.text == "llama.cpp")
    #expect(statement.version == "version: 1 (a=b)")
    #expect(throws: ManifestError.self) { try RuntimeStatement("llama.cpp") }
    #expect(throws: ManifestError.self) { try RuntimeStatement("=b1") }
    #expect(throws: ManifestError.self) { try RuntimeStatement("Llama=b1") }
  }
}
