import Foundation
import TestSupport
import Testing

/// A process that is killed before any one of its system calls leaves the old version active or the new one.
///
/// The run of every day strikes some of the points, the same ones unless `SEALIFT_TEST_SEED` takes others;
/// `scripts/test-store kill` strikes each.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct KillSweepTests {
  @Test(.rows("H4"), arguments: StoreScene.all)
  func `whatever call it was killed before, the store is whole and the same command goes on`(
    _ scene: StoreScene
  ) async throws {
    let home = try await ConsumerHome.trusting()
    let command = try home.words(of: scene)
    let striker = try CallStriker(home)
    _ = try await home.reset(scene)
    #expect(try await striker.run(command).ending == .exited(0))
    let calls = try striker.calls()
    #expect(calls.count > 60, "\(calls)")
    let points = SweepLength.isWhole ? calls : SweepLength.points(calls.filter(\.changes), 4)
    for point in points { try await strike(command, at: point, striker, home, scene) }
    print("\(scene.testDescription): killed at \(points.count) of \(calls.count) calls")
  }

  private func strike(
    _ command: [String],
    at point: StoreCall,
    _ striker: CallStriker,
    _ home: ConsumerHome,
    _ scene: StoreScene
  ) async throws {
    let before = try await home.reset(scene)
    let killed = try await striker.run(command, [StrikeRule(.kill, at: point.number)])
    #expect(killed.ending == .signalled(9), "\(point)")
    // A path on standard output says that the change is done.
    let isAcknowledged = killed.output.contains("/files\n")
    let found = try await home.violations(
      StoreExpectation(
        active: isAcknowledged ? [scene.finished] : [scene.before, scene.finished],
        removes: scene.removes,
        repairs: isAcknowledged ? scene.repairs : nil
      ),
      since: before
    )
    #expect(found.isEmpty, "\(point)")
    let between = try StoreSnapshot(of: home.store)
    let again = try await home.run(command)
    #expect(scene.codes.contains(again.exitCode ?? -1), "\(point): \(again.errors)")
    let last = try await home.violations(
      StoreExpectation(
        active: scene.isToggle ? [scene.before, scene.finished] : [scene.finished],
        isFinished: true,
        removes: scene.removes,
        repairs: scene.repairs
      ),
      since: between
    )
    #expect(last.isEmpty, "\(point)")
  }
}
