import SystemFiles
import TestSupport
import Testing

/// A scene on a disk of its own whose power is cut at chosen calls.
struct CutScene {
  let scene: StoreScene
  let disk: LoopDisk
  let home: ConsumerHome
  private let command: [String]
  private let striker: CallStriker
  /// The calls of a run that nothing disturbs.
  let calls: [StoreCall]
  /// What lies on the disk before the command.
  private let before: StoreSnapshot

  init(_ scene: StoreScene, on format: LoopDisk.Format) async throws {
    var home = try await ConsumerHome.trusting()
    let disk = try await LoopDisk(format, in: home.folder)
    home.store = "\(disk.folder)/store"
    let striker = try CallStriker(home)
    let command = try home.words(of: scene)
    var (calls, before): ([StoreCall], StoreSnapshot?) = ([], nil)
    try await disk.whileMounted { before = try await home.reset(scene) }
    try await disk.save()
    try await disk.whileMounted {
      #expect(try await striker.run(command).ending == .exited(0))
      calls = try striker.calls()
    }
    (self.scene, self.disk, self.home, self.command) = (scene, disk, home, command)
    (self.striker, self.calls, self.before) = (striker, calls, try #require(before))
  }

  /// The calls before which a kill leaves another state than before the call that precedes them.
  var points: [StoreCall] {
    calls.filter { $0.changes && !["openat2", "flock"].contains($0.name) }
  }

  /// Kills the command before a call, cuts the power, and says which invariants do not hold after that.
  ///
  /// Without a point the command comes to its end. `lies` are struck besides; with `goesOn` the command is run again,
  /// and judged again.
  func violations(
    at point: StoreCall?,
    _ cut: LoopDisk.Cut,
    lies: [StrikeRule] = [],
    goesOn: Bool = true
  ) async throws -> [StoreViolation] {
    try await disk.restore()
    var found: [StoreViolation] = []
    try await disk.whileMounted {
      let kill = point.map { [StrikeRule(.kill, at: $0.number)] } ?? []
      let outcome = try await striker.run(command, lies + kill)
      let isAcknowledged = outcome.output.contains("/files\n") || outcome.ending == .exited(0)
      try await disk.cut(cut)
      found = try await home.violations(
        StoreExpectation(
          active: isAcknowledged ? [scene.finished] : [scene.before, scene.finished],
          removes: scene.removes,
          repairs: isAcknowledged ? scene.repairs : nil
        ),
        since: before
      )
      guard found.isEmpty, goesOn else { return }
      let again = try await home.run(command)
      if !scene.codes.contains(again.exitCode ?? -1) {
        found.append(StoreViolation(7, "the next run: \(again.errors)"))
      }
      found += try await home.violations(
        StoreExpectation(
          active: scene.isToggle ? [scene.before, scene.finished] : [scene.finished],
          isFinished: true,
          removes: scene.removes,
          repairs: scene.repairs
        )
      )
    }
    return found
  }

  /// Runs the command on the disk while all that reaches it is logged.
  func log(_ program: Tool, lies: [StrikeRule] = []) async throws -> BlockLog {
    try await BlockLog(of: disk, program, in: home.folder) {
      let outcome = try await striker.run(command, lies)
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }
  }

  /// Says which invariants do not hold on the disk from before the command with these bytes changed.
  func violations(
    isAcknowledged: Bool,
    _ change: (borrowing OpenFile) throws -> Void
  ) async throws -> [StoreViolation] {
    try await disk.restore(with: change)
    var found: [StoreViolation] = []
    try await disk.whileMounted {
      found = try await home.violations(
        StoreExpectation(
          active: isAcknowledged ? [scene.finished] : [scene.before, scene.finished],
          removes: scene.removes,
          repairs: isAcknowledged ? scene.repairs : nil
        ),
        since: before
      )
    }
    return found
  }
}
