import Foundation
import TestSupport
import Testing

/// A system call that fails, lies or does half of its work costs no version, and is told clearly.
///
/// The run of every day takes some of the pairs of call and error by chance; `scripts/test-store errors` takes each.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct ErrorMatrixTests {
  private struct Case: CustomStringConvertible {
    let call: StoreCall
    let row: ErrorTable.Row
    /// Whether the new record may be in its place when the call is made.
    let isAfterCommit: Bool

    var description: String { "\(row) at \(call)" }

    /// The same error at the call that it met: threads that take turns in another order make the calls in another order.
    func struck(in calls: [StoreCall]) -> Case {
      let met = calls.first { $0.name == call.name && $0.numberOfName == call.numberOfName }
      return Case(call: met ?? call, row: row, isAfterCommit: isAfterCommit)
    }
  }

  @Test(arguments: StoreScene.all)
  func `an error at any call is exit code 8 with the old version active, or no error at all`(
    _ scene: StoreScene
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let command = try home.words(of: scene)
    let striker = try CallStriker(home)
    _ = try await home.reset(scene)
    #expect(try await striker.run(command).ending == .exited(0))
    let cases = Self.cases(try striker.calls())
    let points = SweepLength.points(cases, 5)
    for point in points { try await strike(command, point, striker, home, scene) }
    print("\(scene.testDescription): \(points.count) of \(cases.count) errors")
  }

  /// A worker that failed in the middle of a copy once added what it had hashed to the next chunk.
  @Test func `a chunk that cannot be copied from another version spoils no other`() async throws {
    let home = try await ConsumerHome.trusting()
    let scene = StoreScene.repair
    let command = try home.words(of: scene)
    let striker = try CallStriker(home)
    _ = try await home.reset(scene)
    #expect(try await striker.run(command).ending == .exited(0))
    let writes = Self.cases(try striker.calls()).filter {
      $0.call.name == "pwrite64" && $0.call.paths.joined().hasSuffix(".part")
        && $0.row.strike == .error(EIO)
    }
    #expect(!writes.isEmpty)
    for point in writes { try await strike(command, point, striker, home, scene) }
  }

  private static func cases(_ calls: [StoreCall]) -> [Case] {
    let commit =
      calls.first { ($0.paths.last ?? "").hasSuffix("/active.json") && isCommit($0) }?.number
      ?? .max
    return calls.filter { $0.paths != ["standard-output"] }.flatMap { call in
      ErrorTable.rows.filter { $0.call == call.name }.map {
        Case(call: call, row: $0, isAfterCommit: call.number > commit)
      }
    }
  }

  private static func isCommit(_ call: StoreCall) -> Bool {
    ["renameat", "unlinkat"].contains(call.name)
  }

  private func strike(
    _ command: [String],
    _ point: Case,
    _ striker: CallStriker,
    _ home: ConsumerHome,
    _ scene: StoreScene
  ) async throws {
    let before = try await home.reset(scene)
    let rule = StrikeRule(point.row.strike, like: point.call)
    let outcome = try await striker.run(command, [rule])
    let point = point.struck(in: try striker.calls())
    let isDone = outcome.ending == .exited(0)
    check(outcome, point, home, scene)
    let active = isDone ? [scene.finished] : [scene.before]
    let found = try await home.violations(
      StoreExpectation(
        active: active + (point.isAfterCommit && !isDone ? [scene.finished] : []),
        removes: scene.removes
      ),
      since: before
    )
    #expect(found.isEmpty, "\(point)")
    try expectNoSecondSync(try striker.calls(), point)
    let again = try await home.run(command)
    #expect(scene.codes.contains(again.exitCode ?? -1), "\(point): \(again.errors)")
    let last = try await home.violations(
      StoreExpectation(
        active: scene.isToggle ? [scene.before, scene.finished] : [scene.finished],
        isFinished: true,
        removes: scene.removes,
        repairs: scene.repairs
      )
    )
    #expect(last.isEmpty, "\(point)")
  }

  /// Exit code 8, one error in the form of the design that names a place, and no result.
  ///
  /// What a command of several steps has done before the error, it has told.
  private func check(
    _ outcome: ToolOutcome,
    _ point: Case,
    _ home: ConsumerHome,
    _ scene: StoreScene
  ) {
    if outcome.ending == .exited(0) {
      let mayFail = Self.mayFail(point, in: scene)
      #expect(point.row.demand != .fails || mayFail, "\(point): \(outcome.errors)")
      return
    }
    #expect(point.row.demand != .succeeds, "\(point): \(outcome.errors)")
    if outcome.ending == .exited(10), Self.isFinding(point, of: scene) {
      return #expect(outcome.output.contains("acme/tiny: "), "\(point): \(outcome.output)")
    }
    #expect(outcome.ending == .exited(8), "\(point): \(outcome.errors)")
    let lines = outcome.errorLines
    #expect(lines.first?.hasPrefix("error: ") == true, "\(point): \(outcome.errors)")
    for line in lines.dropFirst() {
      #expect(line.hasPrefix("  note: ") || line.hasPrefix("  help: "), "\(point): \(line)")
    }
    #expect(lines.contains { $0.contains(home.folder) }, "no path, \(point): \(outcome.errors)")
    #expect(outcome.output.isEmpty || scene.tellsSteps, "\(point): \(outcome.output)")
  }

  /// Whether a doctor meets a version of which a file cannot be read: that is what he looks for, and no failure of his.
  private static func isFinding(_ point: Case, of scene: StoreScene) -> Bool {
    let isOfVersion = point.call.paths.contains {
      $0.contains("/versions/") && $0.contains("/files/")
    }
    return scene.command.first == "doctor" && isOfVersion
  }

  /// What may fail unseen: hints that make the next run cheaper or tell others how far this one is; removals that the
  /// next run makes up for; the mode of a lease, whose file is there all the same; the lock of a part where the file
  /// system has none, since the model is locked; the lock of the store for a start that then changes nothing; after the
  /// commit and in a collection the question whether others install, which is answered no where the file system has no
  /// locks; in a collection the question whether a lease is held, without whose answer nothing is removed; and the making
  /// of folders that are there, by a doctor and at a start, which are for disks too that cannot be written.
  private static func mayFail(_ point: Case, in scene: StoreScene) -> Bool {
    let paths = point.call.paths.joined(separator: " ")
    let command = scene.command.first
    let isCollecting = command == "gc" || command == "doctor"
    let isNote = paths.hasSuffix("/install.lock") || paths.hasSuffix("/progress")
    return paths.contains(".journal") || paths.contains("/trash/")
      || (isNote && point.call.name == "pwrite64")
      || (paths.contains("/leases/") && point.call.name == "fchmod")
      || (paths.hasSuffix(".part") && point.row.strike == .error(EBADF))
      || (paths.hasSuffix("/install.lock") && point.row.strike == .error(EBADF)
        && (point.isAfterCommit || isCollecting))
      || (isCollecting && paths.contains("/leases/") && point.call.name == "flock")
      || (paths == "store.lock" && point.call.name == "flock" && command == "exec")
      || (["doctor", "exec"].contains(command) && point.call.name == "mkdirat")
      || (command == "repair" && isMadeUpFor(point, paths))
  }

  /// What a repair makes up for: bytes that it could not copy from another version come from a mirror, and a folder whose
  /// mode stays as it was is no less whole.
  private static func isMadeUpFor(_ point: Case, _ paths: String) -> Bool {
    (point.call.name == "pwrite64" && paths.hasSuffix(".part"))
      || (point.call.name == "fchmod" && paths.contains("/versions/"))
  }

  /// After a failed sync the bytes are unknown: nothing may be done with the file but to remove it.
  private func expectNoSecondSync(_ calls: [StoreCall], _ point: Case) throws {
    // What a repair has taken out of a version goes to the trash, whatever becomes of its bytes.
    guard point.call.name == "fsync", !point.call.paths.contains(where: { $0.contains("/trash/") }),
      case .error = point.row.strike,
      let index = calls.firstIndex(where: { $0.number == point.call.number }),
      let place = calls[index].paths.first,
      place.hasSuffix(".part") || place.split(separator: ".").last?.count == 32
    else { return }
    let later = calls[(index + 1)...].filter { $0.paths.first == place }
    #expect(later.allSatisfy { $0.name != "fsync" }, "\(point): \(later)")
    #expect(later.contains { $0.name == "unlinkat" }, "\(point): \(later)")
  }
}
