import Foundation
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

/// A command on a store that is as described, and what it may leave.
struct StoreScene: Sendable, CustomTestStringConvertible {
  let command: [String]
  /// The versions that are there before, the last one active.
  let installed: [String]
  /// What is active once the command has come to its end.
  let finished: String?
  /// The codes of a second run, when the first one was stopped after its change.
  var codes = [0]
  var removes = false
  /// A version that is there besides and never was active.
  var spare: String?
  /// Done to the store before the command, by a shell in the folder of the model.
  var disturbance: String?
  /// A version that is damaged before and must be whole once the command has come to its end.
  var repairs: String?

  var testDescription: String {
    "\(command.joined(separator: " ")) after \(installed.joined(separator: ", "))"
  }

  static let freshInstall = StoreScene(command: ["install"], installed: [], finished: "1.1.0")
  static let install = StoreScene(
    command: ["install"],
    installed: ["1.0.0"],
    finished: "1.1.0"
  )
  static let activate = StoreScene(
    command: ["activate", "acme/tiny@1.0.0"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.0.0"
  )
  static let rollback = StoreScene(
    command: ["rollback", "acme/tiny"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.0.0"
  )
  static let remove = StoreScene(
    command: ["remove", "acme/tiny@1.0.0"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0",
    codes: [0, 3],
    removes: true
  )
  static let removeAll = StoreScene(
    command: ["remove", "acme/tiny"],
    installed: ["1.0.0", "1.1.0"],
    finished: nil,
    removes: true
  )

  static let collect = StoreScene(
    command: ["gc", "--keep", "0"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0",
    disturbance: "d=versions/0.9.0-0123456789abcdef/files; mkdir -p $d; echo x >$d/a; echo y >$d/b"
  )
  static let doctor = StoreScene(
    command: ["doctor", "--fix"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0",
    disturbance: "rm current stamps/1.0.0-* leases/1.0.0-* manifests/1.1.0-*"
  )
  static let trial = StoreScene(
    command: ["activate", "acme/tiny@1.0.0", "--trial", "2"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.0.0",
    // It is active already, so no other trial begins.
    codes: [0, 2]
  )

  static let collectSpare = StoreScene(
    command: ["gc", "--keep", "1"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0",
    spare: "0.9.0"
  )
  static let start = StoreScene(
    command: ["exec", "acme/tiny", "--", "/bin/true"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0"
  )
  static let pin = StoreScene(
    command: ["pin", "acme/tiny@1.0.0"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0"
  )

  /// A damaged version that is the way back: two of its files are wrong, and something else is there.
  static let repair = StoreScene(
    command: ["repair", "acme/tiny@1.0.0"],
    installed: ["1.0.0", "1.1.0"],
    finished: "1.1.0",
    disturbance: """
      cd versions/1.0.0-*/files; chmod u+w . deep weights.bin
      printf x | dd of=weights.bin conv=notrunc status=none; chmod u-w weights.bin
      rm deep/notes.txt; ln -s ../../../../active.json deep/notes.txt; echo x >extra
      """,
    repairs: "1.0.0"
  )

  /// All of them, or those of the command that `SEALIFT_TEST_SCENE` names.
  static let all = every.filter { scene in
    let name = ProcessInfo.processInfo.environment["SEALIFT_TEST_SCENE"]
    return name == nil || name == scene.command.first
  }

  private static let every: [StoreScene] = [
    freshInstall, install, activate, rollback, remove, removeAll, collect, collectSpare, doctor,
    trial, start, pin, repair,
  ]

  /// The version that is active before.
  var before: String? { installed.last }

  /// Whether the command tells each of its steps on standard output when it is done.
  var tellsSteps: Bool { ["doctor", "gc"].contains(command.first) }

  /// Whether a second run of a command that was done already changes back what the first one did.
  var isToggle: Bool { command.first == "rollback" }
}

extension ConsumerHome {
  /// A release of two files that differ from version to version.
  func sceneRelease(_ version: String, model: String = "acme/tiny") -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(
      model: model,
      version: version,
      files: [
        "weights.bin": .random(150_000, seed: seed, chunkLength: 65_536),
        "deep/notes.txt": .random(100, seed: seed, chunkLength: nil),
      ]
    )
  }

  /// The words of the command of a scene, with the manifest and the mirror of what is installed.
  func words(of scene: StoreScene) throws -> [String] {
    if let version = scene.repairs {
      let mirror = "file://\(folder)/blobs-\(version)/{name}"
      return scene.command + ["--mirror", mirror, "--jobs", "1"]
    }
    guard scene.command == ["install"] else { return scene.command }
    return try installing("1.1.0")
  }

  /// The words that install a version of the scenes.
  func installing(_ version: String) throws -> [String] {
    let release = sceneRelease(version)
    return [
      "install", try publish(release), "--mirror",
      try fileMirror(release, in: "blobs-\(version)"), "--jobs", "1",
    ]
  }

  /// Makes a new store that is as the scene has it before the command.
  func reset(_ scene: StoreScene) async throws -> StoreSnapshot {
    try removeStore()
    for version in scene.installed { try await installed(sceneRelease(version)) }
    if let spare = scene.spare {
      let outcome = try await run(try installing(spare) + ["--no-activate", "--no-gc"])
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }
    if let disturbance = scene.disturbance {
      var shell = try #require(Tool.installed("sh"))
      shell.folder = oracle().folder
      let outcome = try await shell.run(["-ec", disturbance])
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    }
    return try StoreSnapshot(of: store)
  }

  func removeStore() throws {
    let (parent, name) = splitPath(store)
    try Folder(path: parent).removeTree(name)
  }
}

/// How much of the sweeps is run.
enum SweepLength {
  /// What chooses the points of a short run: the same in every run, so that a failure can be seen again.
  static let seed =
    ProcessInfo.processInfo.environment["SEALIFT_TEST_SEED"].flatMap { UInt64($0) } ?? 1
  /// Whether every point is wanted, as `scripts/test-store` does, rather than some taken by chance.
  static let isWhole = ProcessInfo.processInfo.environment["SEALIFT_TEST_SWEEP"] == "all"

  /// The points that are struck: all of them, or so many taken by chance.
  static func points<Point>(_ all: [Point], _ count: Int) -> [Point] {
    guard !isWhole else { return all }
    var random = SplitMix64(seed: seed)
    return Array(all.shuffled(using: &random).prefix(count))
  }
}
