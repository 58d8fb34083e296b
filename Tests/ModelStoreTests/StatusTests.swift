import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder)
struct StatusTests {
  private let bench: Bench
  private let (one, two): (SimulatedRelease, SimulatedRelease)

  init() throws {
    bench = try Bench()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
  }

  @Test func `the state follows from what is on disk`() throws {
    let model = try bench.model()
    #expect(try model.status().state == .notDownloaded)
    do {
      let lock = try model.lockForInstall()
      let candidate = try model.candidate(for: bench.accepted(one), holding: lock)
      try bench.fill(candidate, from: one)
      let status = try model.status()
      #expect(status.state == .downloading && status.isBusy)
      #expect(status.candidates.map(\.name) == [try bench.name(of: one)])
      #expect(try status.candidates[0].bytesOnDisk >= one.release().size)
    }
    #expect(try !model.status().isBusy)
    try bench.publish(one)
    #expect(try model.status().state == .ready)
    let record = try bench.activate(one)
    let status = try model.status()
    #expect(status.state == .active)
    #expect(status.record == .good(record))
    #expect(status.versions.map(\.name) == [try bench.name(of: one)])
    #expect(status.versions.map(\.proof) == [.stamped])
    #expect(status.candidates == [])
    try rewrite(bench.file("config.json", of: one)) { $0[0] ^= 1 }
    #expect(try model.status().state == .failed)
    try bench.write("", to: bench.place("active.json"))
    #expect(try model.status().state == .failed)
    #expect(try model.status().record == .damaged)
  }

  @Test func `what is wrong with another version does not fail the active one`() throws {
    try bench.install(one)
    try bench.install(two)
    try rewrite(bench.file("config.json", of: one)) { $0[0] ^= 1 }
    let status = try bench.model().status()
    #expect(status.state == .active)
    #expect(
      status.versions.map(\.proof) == [
        .changed(firstFile: try RelativePath("config.json")), .stamped,
      ]
    )
  }

  @Test(arguments: ["a pipe", "a folder", "too large"])
  func `what stands in the place of a record is a record that cannot be read`(odd: String) throws {
    try bench.install(one)
    try bench.install(two)
    let model = try bench.model()
    let floor = "\(bench.path)/floors/tiny.json"
    for path in ["active.json", "pins.json", "bad.json"].map(bench.place) + [floor] {
      let (folder, name) = splitPath(path)
      try Folder(path: folder).removeTree(name)
      switch odd {
      case "a pipe": try makePipe(at: path)
      case "a folder": _ = try Folder(creating: "\(path)/inner", mode: 0o755)
      default: try bench.write(String(repeating: "x", count: 5 << 20), to: path)
      }
    }
    let status = try model.status()
    #expect(status.state == .failed && status.record == .damaged)
    #expect(status.bad == .damaged && status.pins == .damaged)
    #expect(try model.history().floor == .unreadable)
    #expect(try model.removeDamagedMarks() == ["bad.json", "pins.json"])
    let record = try bench.activate(two, consent: .anyVersion)
    #expect(try model.status().record == .good(record))
    #expect(try model.history().floor == .at(try bench.entry(of: two)))
  }

  @Test func `versions come by precedence`() throws {
    for version in ["1.10.0", "1.2.0", "1.10.0-rc.1", "1.10.0-rc.11", "1.10.0-rc.2"] {
      try bench.publish(.tiny(version))
    }
    #expect(
      try bench.model().versionNames().map(\.version.text) == [
        "1.2.0", "1.10.0-rc.1", "1.10.0-rc.2", "1.10.0-rc.11", "1.10.0",
      ]
    )
  }

  @Test func `looking writes nothing and works on a store that nobody can write`() async {
    await #expect(processExitsWith: .success) {
      try becomeOrdinaryUser()
      try await TemporaryFolder.withFolder {
        let tests = try StatusTests()
        let bench = tests.bench
        try bench.install(tests.one)
        let record = try bench.install(tests.two)
        let model = try bench.model()
        try bench.fill(
          model.candidate(for: bench.accepted(.tiny("3.0.0")), holding: model.lockForInstall()),
          from: .tiny("3.0.0")
        )
        for (path, entry) in try DiskTree(at: bench.path).entries {
          // Setting a mode anew would count as a change of the file.
          guard entry.status.kind != .link, entry.status.mode & 0o222 != 0 else { continue }
          try setMode(of: "\(bench.path)/\(path)", entry.status.mode & 0o555)
        }
        try setMode(of: bench.path, 0o500)
        let before = try DiskTree(at: bench.path)
        let status = try bench.storeForReading().model(ModelName("tiny")).status()
        #expect(status.state == .active && status.record == .good(record))
        #expect(status.versions.map(\.proof) == [.stamped, .stamped])
        #expect(status.candidates.count == 1)
        #expect(try DiskTree(at: bench.path) == before)
        let error = #expect(throws: SystemError.self) { try bench.install(.tiny("4.0.0")) }
        #expect(error?.code == 13)
        #expect(try DiskTree(at: bench.path) == before)
      }
    }
  }

  @Test func `somebody else sees what the modes let him see, and no more`() async throws {
    try bench.install(one)
    let place = try bench.file("config.json", of: one)
    for path in [TemporaryFolder.current, bench.path, "\(bench.path)/models", bench.place()] {
      try setMode(of: path, 0o755)
    }
    for folder in ["versions", "stamps", "staging"] { try setMode(of: bench.place(folder), 0o755) }
    for file in ["active.json", "stamps/\(try bench.name(of: one).text).json"] {
      try setMode(of: bench.place(file), 0o644)
    }
    try setMode(of: "\(bench.path)/STORE.json", 0o644)
    guard FileStatus.currentUser == 0 else { return }
    await #expect(processExitsWith: .success) {
      [path = bench.path as String, place = place as String] in
      try becomeOrdinaryUser()
      let store = try #require(try OpenedStore(path))
      #expect(try store.status("tiny").state == .active)
      #expect(try OpenFile(readingPlainFile: place).status().mode == 0o444)
    }
    try setMode(of: bench.place("active.json"), 0o600)
    await #expect(processExitsWith: .success) { [path = bench.path as String] in
      try becomeOrdinaryUser()
      let store = try #require(try OpenedStore(path))
      let error = #expect(throws: SystemError.self) { try store.status("tiny") }
      #expect(error?.code == 13)
    }
  }
}

/// A store that is open for reading, in a form that expectations can hold.
private final class OpenedStore {
  private let store: Store

  init?(_ path: String) throws {
    guard let store = try Store.open(reading: path) else { return nil }
    self.store = store
  }

  func status(_ model: String) throws -> ModelStatus {
    try store.model(ModelName(model)).status()
  }
}

extension StatusTests {
  private var staged: (ModelStatus) -> ModelStatus.StoredCandidate? { { $0.candidates.first } }

  @Test func `a candidate is downloading, then verifying, then failed for a reason`() throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    let candidate = try model.candidate(for: bench.accepted(one), holding: lock)
    #expect(try model.status().state == .downloading)
    try candidate.note(.verify)
    #expect(try model.status().state == .verifying)
    try candidate.note(.failed, failure: .noSpace)
    let status = try model.status()
    #expect(status.state == .failed)
    #expect(staged(status)?.journal?.failure == .noSpace)
    try bench.write("", to: bench.place("staging/\(candidate.name.text)/journal.json"))
    #expect(try model.status().state == .downloading)
    lock.release()
    try bench.publish(two)
    #expect(try model.status().state == .downloading)
  }

  @Test func `those who wait can follow the progress`() throws {
    let model = try bench.model()
    let lock = try model.lockForInstall(of: bench.name(of: one))
    #expect(model.installHolder()?.version == (try bench.name(of: one)))
    let candidate = try model.candidate(for: bench.accepted(one), holding: lock)
    let note = try candidate.progressNote()
    #expect(model.progress(of: candidate.name) == nil)
    let (early, late) = (
      CandidateProgress(phase: .download, done: 70_000, total: 99_999),
      CandidateProgress(phase: .verify, done: 1, total: 99_999)
    )
    note.note(early)
    #expect(model.progress(of: candidate.name) == early)
    note.note(late)
    #expect(model.progress(of: candidate.name) == late)
    lock.release()
  }

  @Test func `a store that was restored without its bytes says so`() throws {
    try bench.install(one)
    let name = try bench.name(of: one)
    let version = bench.place("versions/\(name.text)")
    try setMode(of: version, 0o755)
    try Folder(path: bench.place("versions")).removeTree(name.text)
    let status = try bench.model().status()
    #expect(status.state == .notDownloaded && status.hasLostActive)
    try bench.reconcile()
    let model = try bench.model()
    #expect(try model.manifestsWithoutBytes() == [name])
    #expect(try model.manifest(of: name).envelope == one.manifest(signedBy: [bench.signer]))
    try bench.publish(one)
    #expect(try model.status().state == .active)
  }
}
