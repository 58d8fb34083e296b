import Manifests
import ReleaseSimulator
import Testing
import Trust

struct PolicyEditingTests {
  @Test func `a rule for the same pattern is replaced, and its lonely keys go`() throws {
    let (a, b, c) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a, b], for: "x", threshold: 2)
      .adding([b.trusted()], for: ModelPattern("y"), threshold: 1)
      .adding([c.trusted()], for: ModelPattern("x"), threshold: 1)
    #expect(policy.rules.map(\.models.text) == ["y", "x"])
    #expect(Set(policy.keys.keys) == [b.fingerprint, c.fingerprint])
    #expect(try policy.rule(for: ModelName("x"))?.keys == [c.fingerprint])
  }

  @Test func `the order of adding does not matter`() throws {
    let (a, b, _) = try Samples.signers()
    let one = try TrustPolicy.trusting([a], for: "x*")
      .adding([b.trusted()], for: ModelPattern("xy*"), threshold: 1)
    let other = try TrustPolicy.trusting([b], for: "xy*")
      .adding([a.trusted()], for: ModelPattern("x*"), threshold: 1)
    #expect(one == other)
  }

  @Test func `a key that is added again keeps its end unless it gets a new one`() throws {
    let (a, _, _) = try Samples.signers()
    let renamed = TrustedKey(publicKey: a.publicKey, name: "new name")
    let policy = try TrustPolicy()
      .adding([a.trusted(until: Samples.now)], for: ModelPattern("x"), threshold: 1)
      .adding([renamed], for: ModelPattern("y"), threshold: 1)
    let key = try #require(policy.keys[a.fingerprint])
    #expect(key.name == "new name")
    #expect(key.notAfter == Samples.now)
    let later = Samples.time(60)
    let longer = try policy.adding([a.trusted(until: later)], for: ModelPattern("y"), threshold: 1)
    #expect(longer.keys[a.fingerprint]?.notAfter == later)
  }

  @Test func `an end is taken away where that is asked for, and nothing else changes`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy()
      .adding([a.trusted(until: Samples.now), b.trusted()], for: ModelPattern("x"), threshold: 2)
    let cleared = try policy.clearingEnds(of: [a.fingerprint])
    #expect(cleared.keys[a.fingerprint]?.notAfter == nil)
    #expect(cleared.keys[a.fingerprint]?.name == policy.keys[a.fingerprint]?.name)
    #expect(cleared.keys[b.fingerprint] == policy.keys[b.fingerprint])
    #expect(cleared.rules == policy.rules)
    #expect(try TrustPolicy().clearingEnds(of: [a.fingerprint]) == TrustPolicy())
  }

  @Test func `rules that change with a key of another rule are told`() throws {
    let (a, b, _) = try Samples.signers()
    let before = try TrustPolicy()
      .adding([a.trusted()], for: ModelPattern("x"), threshold: 1)
      .adding([b.trusted()], for: ModelPattern("z"), threshold: 1)
    let ended = a.trusted(until: Samples.now)
    let after = try before.adding([ended], for: ModelPattern("y"), threshold: 1)
    let changes = after.changes(since: before, besides: try ModelPattern("y"))
    #expect(changes.map(\.after) == [ended])
    #expect(changes.map(\.before.notAfter) == [nil])
    #expect(changes.flatMap { $0.rules.map(\.models.text) } == ["x"])
    #expect(changes.map(\.changesEnd) == [true])
    #expect(changes.map(\.changesName) == [false])
    // The rule that was meant is none of the others, and what stays the same is no change.
    let same = try before.adding([ended], for: ModelPattern("x"), threshold: 1)
    #expect(same.changes(since: before, besides: try ModelPattern("x")) == [])
    #expect(before.changes(since: before, besides: nil) == [])
  }

  @Test func `a withdrawn key is not trusted again`() throws {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy(keys: [], rules: [], withdrawnKeys: [a.fingerprint: "lost"])
    #expect(throws: TrustError.withdrawnKey(a.fingerprint, reason: "lost")) {
      try policy.adding([a.trusted()], for: ModelPattern("*"), threshold: 1)
    }
  }

  @Test(arguments: [0, -1, 3])
  func `a threshold is from one to the number of different keys`(threshold: Int) throws {
    let (a, b, _) = try Samples.signers()
    #expect(throws: TrustError.badThreshold(threshold, keys: 2)) {
      try TrustPolicy.trusting([a, b, a], threshold: threshold)
    }
  }

  @Test func `a rule goes with its pattern`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a], for: "x")
      .adding([b.trusted()], for: ModelPattern("y"), threshold: 1)
    let rest = try policy.removing(ModelPattern("x"))
    #expect(rest == (try TrustPolicy.trusting([b], for: "y")))
    #expect(throws: TrustError.noSuchRule(try ModelPattern("x*"))) {
      try policy.removing(ModelPattern("x*"))
    }
  }

  @Test func `a key goes from all rules, and rules of it alone go too`() throws {
    let (a, b, c) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a, b], for: "x")
      .adding([a.trusted()], for: ModelPattern("y"), threshold: 1)
    #expect(try policy.removing(a.fingerprint) == (try TrustPolicy.trusting([b], for: "x")))
    #expect(throws: TrustError.noSuchKey(c.fingerprint)) { try policy.removing(c.fingerprint) }
    let strict = try TrustPolicy.trusting([a, b], for: "x", threshold: 2)
    #expect(throws: TrustError.badThreshold(2, keys: 1)) { try strict.removing(a.fingerprint) }
  }

  @Test func `editing keeps what is withdrawn`() throws {
    let (a, b, _) = try Samples.signers()
    let digest = try Samples.release().digest()
    let policy = try TrustPolicy(
      keys: [a.trusted()],
      rules: [TrustRule(models: ModelPattern("x"), keys: [a.fingerprint], threshold: 1)],
      withdrawnKeys: [b.fingerprint: "lost"],
      withdrawnManifests: [digest: "wrong"]
    )
    let edited = try policy.adding([a.trusted()], for: ModelPattern("y"), threshold: 1)
      .removing(ModelPattern("x"))
      .removing(a.fingerprint)
    #expect(edited.rules.isEmpty && edited.keys.isEmpty)
    #expect(edited.withdrawnKeys == [b.fingerprint: "lost"])
    #expect(edited.withdrawnManifests == [digest: "wrong"])
  }

  @Test func `parts that contradict each other make no policy`() throws {
    let (a, b, _) = try Samples.signers()
    let rule = try TrustRule(models: ModelPattern("x"), keys: [a.fingerprint], threshold: 1)
    #expect(throws: TrustError.repeatedKey(a.fingerprint)) {
      try TrustPolicy(keys: [a.trusted(), a.trusted()], rules: [])
    }
    #expect(throws: TrustError.unknownKey(a.fingerprint, try ModelPattern("x"))) {
      try TrustPolicy(keys: [b.trusted()], rules: [rule])
    }
    #expect(throws: TrustError.repeatedPattern(try ModelPattern("x"))) {
      try TrustPolicy(keys: [a.trusted()], rules: [rule, rule])
    }
  }

  @Test func `a key is export-only or in rules, never both`() throws {
    let (a, b, _) = try Samples.signers()
    let any = try ModelPattern("*")
    let policy = try TrustPolicy.trusting([a]).adding(exportOnly: [b.trusted()])
    #expect(throws: TrustError.exportKeyInRule(b.fingerprint, any)) {
      try policy.adding([b.trusted()], for: any, threshold: 1)
    }
    #expect(throws: TrustError.exportKeyInRule(a.fingerprint, any)) {
      try policy.adding(exportOnly: [a.trusted()])
    }
    let freed = try policy.removing(b.fingerprint)
    #expect(freed.keys[b.fingerprint] == nil)
    #expect(throws: Never.self) { try freed.adding([b.trusted()], for: any, threshold: 1) }
  }

  @Test func `an export-only key that is added again keeps its end unless it gets a new one`()
    throws
  {
    let (a, _, _) = try Samples.signers()
    let policy = try TrustPolicy().adding(exportOnly: [a.trusted(until: Samples.now)])
    let again = try policy.adding(exportOnly: [TrustedKey(publicKey: a.publicKey, name: "new")])
    let key = try #require(again.keys[a.fingerprint])
    #expect(key.name == "new" && key.notAfter == Samples.now && key.isExportOnly)
    let later = try again.adding(exportOnly: [a.trusted(until: Samples.time(60))])
    #expect(later.keys[a.fingerprint]?.notAfter == Samples.time(60))
  }

  @Test func `an export-only key stays while rules come and go`() throws {
    let (a, b, _) = try Samples.signers()
    let policy = try TrustPolicy.trusting([a]).adding(exportOnly: [b.trusted(until: Samples.now)])
    let rest = try policy.removing(ModelPattern("*"))
    #expect(Set(rest.keys.keys) == [b.fingerprint])
    #expect(rest.keys[b.fingerprint]?.isExportOnly == true)
    #expect(rest.keys[b.fingerprint]?.notAfter == Samples.now)
  }
}
