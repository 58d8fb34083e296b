import TestSupport
import Testing

/// A power cut at any moment costs nothing that was acknowledged, and leaves the active version whole.
///
/// The file systems lie in files, and `FS_IOC_SHUTDOWN` stops them as a cut does. The run of every day takes some
/// points on ext4; `scripts/test-store cuts` takes all of them, on XFS and without the help of ext4 too.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable),
  .enabled("needs root, mkfs and loop devices") {
    await LoopDisk.isAvailable(SweepLength.isWhole ? LoopDisk.Format.allCases : [.ext4])
  }
)
struct PowerCutTests {
  private static let formats = SweepLength.isWhole ? LoopDisk.Format.allCases : [.ext4]
  private static let scenes = SweepLength.isWhole ? StoreScene.all : [.install, .rollback]

  @Test(arguments: scenes, formats)
  func `after a power cut the active version is whole and nothing acknowledged is lost`(
    _ scene: StoreScene,
    _ format: LoopDisk.Format
  ) async throws {
    let sweep = try await CutScene(scene, on: format)
    let all: [StoreCall?] = sweep.points + [nil]
    let points = SweepLength.points(all.dropLast(), 5) + [nil]
    for point in points {
      for cut in LoopDisk.Cut.allCases {
        let found = try await sweep.violations(at: point, cut)
        #expect(found.isEmpty, "\(cut) before \(point?.description ?? "the end of the program")")
      }
    }
    print(
      "\(scene.testDescription), \(format.testDescription): \(points.count) of \(all.count) points, two cuts each"
    )
  }

  /// A sync that is left out, by lying about it, where a sweep must notice.
  enum Omission: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case modelFile = "the model file"
    case record = "the record"
    case folder = "the folder of the model after the commit"
    case everything = "everything"

    var testDescription: String { rawValue }

    /// The file systems on which it shows; ext4 writes a file that replaces another by itself.
    func shows(on format: LoopDisk.Format) -> Bool { self != .record || format != .ext4 }

    /// An install syncs other folders between its commit and its success, and so the log with the folder.
    fileprivate var scene: StoreScene { self == .folder ? .activate : .install }

    func rules(_ calls: [StoreCall]) -> [StrikeRule] {
      func lie(_ names: [String], where isMeant: (StoreCall) -> Bool) -> [StrikeRule] {
        calls.filter { names.contains($0.name) && isMeant($0) }.map {
          StrikeRule(.claim(0), $0.name, $0.numberOfName...$0.numberOfName)
        }
      }
      let commit = calls.first {
        $0.paths.last?.hasSuffix("/active.json") ?? false && $0.name == "renameat"
      }
      return switch self {
      // The hint that drops pages from the cache begins to write them, and so would stand in for the sync.
      case .modelFile:
        lie(["fsync", "fdatasync", "fadvise64", "sync_file_range"]) {
          $0.paths[0].contains(".part")
        }
      case .record: lie(["fsync"]) { $0.paths[0].contains("/active.json.") }
      case .folder:
        lie(["fsync"]) {
          $0.number > commit?.number ?? .max && $0.paths[0].hasSuffix("models/acme+tiny")
        }
      case .everything:
        ["fsync", "fdatasync", "fadvise64", "sync_file_range"].map { StrikeRule(.claim(0), $0) }
      }
    }
  }

  @Test(arguments: Omission.allCases, formats)
  func `a sweep turns red where a sync is left out that it needs`(
    _ omission: Omission,
    _ format: LoopDisk.Format
  ) async throws {
    guard omission.shows(on: format) else { return }
    let sweep = try await CutScene(omission.scene, on: format)
    let rules = omission.rules(sweep.calls)
    #expect(!rules.isEmpty)
    // A lie shows at the end of the run, or between a commit and its end.
    let points: [StoreCall?] = [nil] + sweep.points.reversed()
    for point in points {
      for cut in LoopDisk.Cut.allCases {
        let found = try await sweep.violations(at: point, cut, lies: rules, goesOn: false)
        if let first = found.first {
          print(
            "without the sync of \(omission.rawValue), \(format.testDescription), \(cut): \(first)"
          )
          return
        }
      }
    }
    Issue.record("no sweep sees that the sync of \(omission.rawValue) is missing")
  }

  @Test(.enabled(if: SweepLength.isWhole, "is for scripts/test-store"), arguments: formats)
  func `single syncs that no sweep misses are listed`(_ format: LoopDisk.Format) async throws {
    let sweep = try await CutScene(.install, on: format)
    var masked: [String] = []
    for sync in sweep.calls where ["fsync", "fdatasync"].contains(sync.name) {
      let rule = StrikeRule(.claim(0), sync.name, sync.numberOfName...sync.numberOfName)
      let later = sweep.points.filter { $0.number > sync.number && $0.name != sync.name }
      var isSeen = false
      for point in later.prefix(3).map(Optional.some) + [nil] where !isSeen {
        for cut in LoopDisk.Cut.allCases where !isSeen {
          let found = try await sweep.violations(at: point, cut, lies: [rule], goesOn: false)
          isSeen = !found.isEmpty
        }
      }
      if !isSeen { masked.append(sync.description) }
    }
    print("\(format.testDescription): no sweep sees that one of these syncs is missing:")
    for sync in masked { print("  \(sync)") }
    print("  (a later sync commits the same log, or dropping its pages has written the file)")
    #expect(!masked.isEmpty)
  }
}
