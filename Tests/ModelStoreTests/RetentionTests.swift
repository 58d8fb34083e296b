import Manifests
import ModelStore
import ReleaseSimulator
import TestSupport
import Testing

/// The rule of what stays, without any disk.
struct RetentionTests {
  private let names: [VersionName] = ["1.0.0", "2.0.0", "3.0.0", "4.0.0", "5.0.0"].compactMap {
    VersionName("\($0)-0123456789abcdef")
  }

  private func record(active: Int, previous: Int?, triesLeft: Int? = nil) throws -> RecordState {
    func entry(_ index: Int) throws -> ActiveRecord.Entry {
      let release = try SimulatedRelease.tiny(names[index].version.text)
      return ActiveRecord.Entry(name: names[index], manifest: try release.digest())
    }
    return .good(
      ActiveRecord(
        model: try ModelName("tiny"),
        generation: 1,
        active: try entry(active),
        previous: try previous.map(entry),
        activatedAt: try Timestamp("2026-06-01T00:00:00Z"),
        triesLeft: triesLeft
      )
    )
  }

  private func reasons(
    _ record: RecordState,
    pins: MarksState<PinnedVersions> = .good(PinnedVersions()),
    linked: Int? = nil,
    live: [Int] = [],
    withdrawn: [Int] = [],
    areWithdrawalsKnown: Bool = true,
    newest: Int = 0
  ) -> [KeepReason?] {
    let retention = Retention(
      record: record,
      pins: pins,
      linked: linked.map { names[$0] },
      live: Set(live.map { names[$0] }),
      withdrawn: Set(withdrawn.map { names[$0] }),
      areWithdrawalsKnown: areWithdrawalsKnown,
      newestCount: newest
    )
    let reasons = retention.reasons(among: names)
    return names.map { reasons[$0] }
  }

  @Test func `the active version and the one before stay, and the highest`() throws {
    #expect(
      try reasons(record(active: 1, previous: 0), newest: 2)
        == [.previous, .active, nil, .newest, .newest]
    )
    #expect(try reasons(record(active: 1, previous: nil)) == [nil, .active, nil, nil, nil])
    #expect(reasons(.absent, newest: 1) == [nil, nil, nil, nil, .newest])
    #expect(reasons(.absent, newest: 9) == [.newest, .newest, .newest, .newest, .newest])
  }

  @Test func `what a trial returns to stays under that name`() throws {
    #expect(
      try reasons(record(active: 4, previous: 2, triesLeft: 0))
        == [nil, nil, .trialFallback, nil, .active]
    )
  }

  @Test func `pinned, linked and arriving versions stay`() throws {
    let pins = MarksState.good(PinnedVersions(names: [names[0], names[4]]))
    #expect(
      try reasons(record(active: 4, previous: nil), pins: pins, linked: 1, live: [2])
        == [.pinned, .current, .installing, nil, .active]
    )
  }

  @Test func `what is withdrawn stays, and takes no place among the highest`() throws {
    #expect(
      try reasons(record(active: 2, previous: nil), withdrawn: [3, 4], newest: 2)
        == [nil, .newest, .active, .withdrawn, .withdrawn]
    )
    #expect(
      try reasons(record(active: 4, previous: 3), withdrawn: [3, 4], newest: 1)
        == [nil, nil, .newest, .previous, .active]
    )
    #expect(reasons(.absent, withdrawn: [0, 1, 2, 3, 4]) == Array(repeating: .withdrawn, count: 5))
  }

  @Test func `what cannot be read keeps everything`() throws {
    #expect(reasons(.damaged) == Array(repeating: .unknownRecord, count: 5))
    let record = try record(active: 4, previous: nil)
    #expect(reasons(record, pins: .damaged) == Array(repeating: .unknownPins, count: 5))
    #expect(
      reasons(record, areWithdrawalsKnown: false, newest: 2)
        == Array(repeating: .unknownWithdrawals, count: 4) + [.active]
    )
  }
}
