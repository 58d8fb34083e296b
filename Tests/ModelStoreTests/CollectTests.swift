import Foundation
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct CollectTests {
  private let bench: Bench
  private let releases: [SimulatedRelease]

  init() throws {
    bench = try Bench()
    releases = try ["1.0.0", "2.0.0", "3.0.0", "4.0.0"].map { try .tiny($0) }
    for release in releases { try bench.install(release) }
  }

  private func versions() throws -> [String] {
    try bench.model().versionNames().map(\.version.text)
  }

  /// Leaves a candidate that no process works on.
  private func leaveCandidate() throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    let next = try SimulatedRelease.tiny("9.0.0")
    try bench.fill(model.candidate(for: bench.accepted(next), holding: lock), from: next)
  }

  @Test func `a dry run says what would go and changes nothing`() throws {
    try leaveCandidate()
    let before = try DiskTree(at: bench.path)
    let planned = try bench.collect { $0.isDryRun = true }
    #expect(try DiskTree(at: bench.path) == before)
    #expect(planned.map(\.keptFor) == [.notAsked, nil, nil, .previous, .active])
    #expect(planned.allSatisfy { $0.bytes > 0 })
    #expect(try bench.collect() == planned)
    #expect(try versions() == ["3.0.0", "4.0.0"])
  }

  @Test func `candidates go when that is asked, unless a process works on them`() throws {
    try leaveCandidate()
    let model = try bench.model()
    do {
      let lock = try model.lockForInstall()
      #expect(try bench.collect { $0.takesCandidates = true }[0].keptFor == .installing)
      withExtendedLifetime(lock) {}
    }
    #expect(try bench.collect { $0.takesCandidates = true }[0].keptFor == nil)
    #expect(try model.candidateNames().isEmpty)
  }

  @Test func `a budget is first met with what is only begun`() throws {
    try leaveCandidate()
    let planned = try bench.collect(newest: 0) { $0.isDryRun = true }
    let total = planned.reduce(0) { $0 + $1.bytes }
    #expect(try bench.collect(newest: 0) { $0.budget = total }[0].keptFor == .withinBudget)
    let items = try bench.collect(newest: 0) { $0.budget = total - 1 }
    #expect(items.map(\.keptFor).prefix(2) == [nil, .withinBudget])
    #expect(try bench.model().candidateNames().isEmpty)
  }

  @Test func `a pinned version stays until it is unpinned`() throws {
    let model = try bench.model()
    let name = try bench.name(of: releases[0])
    #expect(try model.setPin(true, of: name))
    #expect(try !model.setPin(true, of: name))
    try bench.collect()
    #expect(try versions() == ["1.0.0", "3.0.0", "4.0.0"])
    #expect(try model.setPin(false, of: name))
    try bench.collect()
    #expect(try versions() == ["3.0.0", "4.0.0"])
    #expect(throws: StoreError.noSuchVersion(model.name, releases[0].version)) {
      try model.setPin(true, of: name)
    }
  }

  @Test(arguments: ["active.json", "pins.json"])
  func `while a record of what is wanted cannot be read, nothing of the model goes`(
    file: String
  ) throws {
    try bench.write("torn", to: bench.place(file))
    let before = try DiskTree(at: bench.place("versions"))
    let items = try bench.collect(newest: 0)
    let reason: KeepReason = file == "active.json" ? .unknownRecord : .unknownPins
    #expect(items.map(\.keptFor) == [reason, reason, reason, reason])
    #expect(try DiskTree(at: bench.place("versions")) == before)
  }

  @Test func `a damaged record of one model does not keep what another one has`() throws {
    for version in ["1.0.0", "2.0.0", "3.0.0"] {
      try bench.install(SimulatedRelease.tiny(version, model: "other"))
    }
    try bench.write("", to: bench.place("active.json"))
    try bench.collect()
    #expect(try versions().count == 4)
    #expect(try bench.model("other").versionNames().map(\.version.text) == ["2.0.0", "3.0.0"])
  }

  @Test func `a budget takes no more than it must, the trash first, then the oldest`() throws {
    let model = try bench.model()
    try model.remove(releases[0].version, holding: model.lockForInstall())
    let planned = try bench.collect(newest: 0) { $0.isDryRun = true }
    let total = planned.reduce(0) { $0 + $1.bytes }
    // What a person removed can be had back: it does not count as room.
    #expect(planned[0].kind == .trash && planned[0].keptFor == .removed)
    #expect(
      try bench.collect(newest: 0) { $0.budget = total }.map(\.keptFor)
        == [.removed, .withinBudget, .previous, .active]
    )
    let items = try bench.collect(newest: 0) { $0.budget = total - 1 }
    #expect(items.map(\.keptFor) == [.removed, nil, .previous, .active])
    let later = try Timestamp("2030-01-01T00:00:00Z")
    let trash = try bench.collect(newest: 0, at: later) { $0.budget = 0 }
    #expect(trash.map(\.keptFor) == [nil, .previous, .active])
    #expect(try Folder(path: bench.place("trash")).entries().map(\.name) == ["CACHEDIR.TAG"])
  }

  @Test func `what goes leaves no stamp, lease or manifest behind`() throws {
    try bench.collect()
    let lines = try DiskTree(at: bench.place()).lines
    #expect(!lines.contains { $0.contains("1.0.0") || $0.contains("2.0.0") })
  }
}
