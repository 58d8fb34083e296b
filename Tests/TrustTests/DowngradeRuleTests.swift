import Digests
import Manifests
import TestSupport
import Testing
import Trust

struct DowngradeRuleTests {
  private static func entry(_ version: String, _ manifest: String = "m") throws
    -> VersionHistory.Entry
  {
    VersionHistory.Entry(
      version: try Version(version),
      manifest: SHA256Digest(of: Array("\(version) \(manifest)".utf8))
    )
  }

  @Test func `the first version of a model may be any`() throws {
    let history = VersionHistory(floor: .none)
    #expect(throws: Never.self) {
      try history.check(Self.entry("0.0.1-a"), consent: .returnToPrevious)
    }
  }

  @Test(arguments: ["2.0.0", "2.0.1-rc.1", "2.0.1", "10.0.0"])
  func `what is not below the floor may become active`(version: String) throws {
    let history = VersionHistory(floor: .at(try Self.entry("2.0.0")))
    #expect(throws: Never.self) {
      try history.check(Self.entry(version), consent: .returnToPrevious)
    }
  }

  @Test func `the previous version is a downgrade where nobody asked to go back`() throws {
    let (old, new) = (try Self.entry("1.0.0"), try Self.entry("2.0.0"))
    let history = VersionHistory(floor: .at(new), active: new, previous: old)
    #expect(throws: TrustError.downgrade(to: old.version, floor: new.version)) {
      try history.check(old, consent: .none)
    }
    #expect(throws: Never.self) { try history.check(old, consent: .returnToPrevious) }
    #expect(throws: Never.self) { try history.check(new, consent: .none) }
  }

  @Test(arguments: ["1.9.9", "2.0.0-rc.1", "0.0.0"])
  func `a version below the floor takes a person's word`(version: String) throws {
    let floor = try Self.entry("2.0.0")
    let history = VersionHistory(floor: .at(floor))
    let candidate = try Self.entry(version)
    #expect(throws: TrustError.downgrade(to: candidate.version, floor: floor.version)) {
      try history.check(candidate, consent: .returnToPrevious)
    }
    #expect(throws: Never.self) { try history.check(candidate, consent: .anyVersion) }
  }

  @Test func `another manifest of the version at the floor takes a person's word`() throws {
    let (floor, other) = (try Self.entry("2.0.0"), try Self.entry("2.0.0", "other"))
    let history = VersionHistory(floor: .at(floor))
    #expect(
      throws: TrustError.replaced(
        version: floor.version,
        installed: floor.manifest,
        offered: other.manifest
      )
    ) { try history.check(other, consent: .returnToPrevious) }
    #expect(throws: Never.self) { try history.check(other, consent: .anyVersion) }
  }

  @Test func `the way back is open to exactly the previous version`() throws {
    let history = VersionHistory(
      floor: .at(try Self.entry("2.0.0")),
      previous: try Self.entry("1.0.0")
    )
    #expect(throws: Never.self) {
      try history.check(Self.entry("1.0.0"), consent: .returnToPrevious)
    }
    for other in [try Self.entry("1.0.0", "other"), try Self.entry("1.0.1")] {
      #expect(
        throws: TrustError.downgrade(to: other.version, floor: try Version("2.0.0"))
      ) { try history.check(other, consent: .returnToPrevious) }
    }
  }

  @Test func `to stay with exactly the active version is no downgrade`() throws {
    let history = VersionHistory(
      floor: .at(try Self.entry("2.0.0")),
      active: try Self.entry("1.0.0"),
      previous: try Self.entry("2.0.0")
    )
    #expect(throws: Never.self) {
      try history.check(Self.entry("1.0.0"), consent: .returnToPrevious)
    }
    let other = try Self.entry("1.0.0", "other")
    #expect(throws: TrustError.downgrade(to: other.version, floor: try Version("2.0.0"))) {
      try history.check(other, consent: .returnToPrevious)
    }
  }

  @Test func `while the floor cannot be read only the active and the previous version pass`() throws
  {
    let history = VersionHistory(
      floor: .unreadable,
      active: try Self.entry("2.0.0"),
      previous: try Self.entry("1.0.0")
    )
    for known in ["1.0.0", "2.0.0"] {
      #expect(throws: Never.self) {
        try history.check(Self.entry(known), consent: .returnToPrevious)
      }
    }
    let newer = try Self.entry("3.0.0")
    #expect(throws: TrustError.unknownFloor(candidate: newer.version)) {
      try history.check(newer, consent: .returnToPrevious)
    }
    #expect(throws: Never.self) { try history.check(newer, consent: .anyVersion) }
    #expect(history.floor.raised(by: newer) == .unreadable)
  }

  @Test func `a withdrawn version lowers the floor to what is known and not withdrawn`() throws {
    let (one, two, three) = (
      try Self.entry("1.0.0"), try Self.entry("2.0.0"), try Self.entry("3.0.0")
    )
    let history = VersionHistory(floor: .at(three), active: three, previous: two)
    #expect(history.lowered(besides: [three.manifest]).floor == .at(two))
    #expect(history.lowered(besides: [three.manifest, two.manifest]).floor == .none)
    #expect(throws: Never.self) {
      try history.lowered(besides: [three.manifest, two.manifest]).check(one, consent: .none)
    }
    #expect(throws: TrustError.downgrade(to: one.version, floor: two.version)) {
      try history.lowered(besides: [three.manifest]).check(one, consent: .none)
    }
    for withdrawn in [[], [two.manifest], [one.manifest]] as [Set<SHA256Digest>] {
      #expect(history.lowered(besides: withdrawn) == history)
    }
    let unreadable = VersionHistory(floor: .unreadable, active: two)
    #expect(unreadable.lowered(besides: [two.manifest]) == unreadable)
  }

  @Test func `the floor never falls, whatever becomes active`() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      var floor = VersionHistory.Floor.none
      var highest: Version?
      for _ in 0..<12 {
        let numbers = (0..<3).map { _ in Int.random(in: 0...2, using: &random) }
        let suffix = Bool.random(using: &random) ? "-rc.1" : ""
        let next = try Self.entry(numbers.map(String.init).joined(separator: ".") + suffix)
        floor = floor.raised(by: next)
        highest = max(highest ?? next.version, next.version)
        guard case .at(let entry) = floor else {
          Issue.record("a floor that was raised is there")
          return
        }
        #expect(entry.version == highest)
      }
    }
  }
}
