import Foundation
import Signatures
import SystemFiles
import TestSupport
import Testing

/// A `key` command that is killed before any one of the system calls that touch the key files leaves the old file or the
/// new one: never half a file, none, or one that others can read.
///
/// The run of every day strikes some of the points; `scripts/test-kill` strikes each.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct KeyKillTests {
  @Test(arguments: KeyScene.all)
  func `whatever call it was killed before, each key file is whole, and nobody else's`(
    _ scene: KeyScene
  ) async throws {
    let world = try await KeyWorld()
    try world.reset()
    let whole = try await world.striker.run(scene.command)
    try #require(whole.ending == .exited(0), "\(whole.errors)")
    let calls = try world.striker.calls()
    try #expect(world.look(scene) == .new)
    // The files are written, synced and given their names, each with calls of its own.
    #expect(calls.count > 8, "\(calls)")
    let points = SweepLength.isWhole ? calls : SweepLength.points(calls.filter(\.changes), 4)
    var seen: Set<KeyWorld.State> = []
    for point in points {
      try world.reset()
      let killed = try await world.striker.run(scene.command, [StrikeRule(.kill, at: point.number)])
      #expect(killed.ending == .signalled(9), "\(point)")
      let state = try world.look(scene)
      seen.insert(state)
      if killed.output.contains("SHA256:") { #expect(state == .new, "\(point): acknowledged") }
      try await goOn(scene, after: state, at: point, world)
    }
    if SweepLength.isWhole { #expect(seen.isSuperset(of: [.old, .new])) }
    print("\(scene): killed at \(points.count) of \(calls.count) calls")
  }

  /// Runs the same command again: it does its work, or says that the work is done.
  private func goOn(
    _ scene: KeyScene,
    after state: KeyWorld.State,
    at point: StoreCall,
    _ world: KeyWorld
  ) async throws {
    let again = try await publish(scene.command)
    if state == .old {
      #expect(again.exitCode == 0, "\(point): \(again.errors)")
      #expect(try world.look(scene) == .new, "\(point)")
    } else {
      #expect(scene.codesWhenDone.contains(again.exitCode ?? -1), "\(point): \(again.errors)")
    }
    let left = try world.leftOvers()
    #expect(left.isEmpty || !scene.replaces || again.exitCode != 0, "\(point): \(left)")
  }
}

/// A command that writes key files, and how its work is told.
struct KeyScene: Sendable, CustomTestStringConvertible, CustomStringConvertible {
  let description: String
  let command: [String]
  /// The private key file that it makes or replaces, and what opens it then.
  var privateFile: String?
  var newPassphrase: String?
  /// The public file that it makes.
  var publicFile: String?
  /// Whether it replaces a file rather than make one.
  var replaces = false
  /// How it ends when its work was done before.
  var codesWhenDone = [2]

  var testDescription: String { description }

  static let all = [
    KeyScene(
      description: "key new",
      command: ["key", "new", "made", "--passphrase-file", "new"],
      privateFile: "keys/made.key",
      newPassphrase: "new words",
      publicFile: "keys/made.pub"
    ),
    KeyScene(
      description: "key new without a passphrase",
      command: ["key", "new", "made", "--no-passphrase"],
      privateFile: "keys/made.key",
      publicFile: "keys/made.pub"
    ),
    KeyScene(
      description: "key import of a plain key",
      command: ["key", "import", "given/ssh", "made", "--passphrase-file", "new"],
      privateFile: "keys/made.key",
      newPassphrase: "new words",
      publicFile: "keys/made.pub"
    ),
    KeyScene(
      description: "key import of an encrypted key",
      command: ["key", "import", "given/old.key", "made", "--passphrase-file", "old"],
      privateFile: "keys/made.key",
      newPassphrase: "old words",
      publicFile: "keys/made.pub"
    ),
    KeyScene(
      description: "key import of a public key",
      command: ["key", "import", "given/old.pub", "made"],
      publicFile: "keys/made.pub"
    ),
    KeyScene(
      description: "key export as PKCS#8",
      command: [
        "key", "export", "given/old.key", "--format", "pkcs8", "--output", "keys/made.key",
        "--passphrase-file", "old", "--new-passphrase-file", "new",
      ],
      privateFile: "keys/made.key",
      newPassphrase: "new words"
    ),
    KeyScene(
      description: "key export for OpenSSH",
      command: [
        "key", "export", "given/old.key", "--format", "openssh", "--output", "keys/made.key",
        "--passphrase-file", "old",
      ],
      privateFile: "keys/made.key"
    ),
    KeyScene(
      description: "key export of the public half",
      command: [
        "key", "export", "given/old.pub", "--format", "spki", "--output", "keys/made.pub",
      ],
      publicFile: "keys/made.pub"
    ),
    KeyScene(
      description: "key passphrase",
      command: [
        "key", "passphrase", "keys/old.key", "--passphrase-file", "old", "--new-passphrase-file",
        "new",
      ],
      privateFile: "keys/old.key",
      newPassphrase: "new words",
      replaces: true
    ),
    KeyScene(
      description: "key passphrase --remove",
      command: ["key", "passphrase", "keys/old.key", "--passphrase-file", "old", "--remove"],
      privateFile: "keys/old.key",
      replaces: true
    ),
    KeyScene(
      description: "key passphrase of a plain key",
      command: ["key", "passphrase", "keys/plain.key", "--new-passphrase-file", "new"],
      privateFile: "keys/plain.key",
      newPassphrase: "new words",
      replaces: true
    ),
  ]
}

/// A folder of keys before a command, and what it holds after one.
struct KeyWorld: Sendable {
  enum State: Hashable, Sendable { case old, new, privateOnly }

  let striker: CallStriker
  private let given: String
  private let keys: String

  /// Makes two keys, one of them encrypted, and an OpenSSH key; the umask of the tests hides nothing from others.
  init() async throws {
    given = TemporaryFolder.path("given")
    keys = TemporaryFolder.path("keys")
    try place(Array("old words".utf8), at: "old")
    try place(Array("new words".utf8), at: "new")
    for (name, option) in [("old", ["--passphrase-file", "old"]), ("plain", ["--no-passphrase"])] {
      let made = try await publish(["key", "new", name, "--dir", "given"] + option)
      try #require(made.exitCode == 0, "\(made.errors)")
    }
    let exported = try await publish(
      "key",
      "export",
      "given/plain.key",
      "--format",
      "openssh",
      "--output",
      "given/ssh"
    )
    try #require(exported.exitCode == 0, "\(exported.errors)")
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    striker = try CallStriker(tool, watching: keys, log: TemporaryFolder.path("calls.log"))
  }

  /// Puts the folder `keys` back to what it was before.
  func reset() throws {
    let files = FileManager.default
    if files.fileExists(atPath: keys) { try files.removeItem(atPath: keys) }
    try files.copyItem(atPath: given, toPath: keys)
  }

  /// The copies that stand under names of their own.
  func leftOvers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: keys)
      .filter { name in name.split(separator: ".").last?.utf8.count == 32 }
  }

  /// What state the files are in; each that is there must be whole, and a private one for its owner alone.
  func look(_ scene: KeyScene) throws -> State {
    for name in try leftOvers() { #expect(try mode("keys/\(name)") == 0o600, "\(name)") }
    let isPublicThere = scene.publicFile.map { isThere($0) } ?? false
    if isPublicThere, let path = scene.publicFile {
      _ = try PublicKey(file: TemporaryFolder.path(path))
    }
    guard let path = scene.privateFile else { return isPublicThere ? .new : .old }
    guard isThere(path) else {
      #expect(!isPublicThere, "the public file never stands alone")
      #expect(!scene.replaces, "the file is gone")
      return .old
    }
    if scene.replaces, try isAsGiven(path) {
      #expect(try mode(path) == 0o600)
      return .old
    }
    try requireWhole(path, scene.newPassphrase)
    return scene.publicFile == nil || isPublicThere ? .new : .privateOnly
  }

  private func isAsGiven(_ path: String) throws -> Bool {
    try contents(path) == contents(path.replacingOccurrences(of: "keys/", with: "given/"))
  }

  private func requireWhole(_ path: String, _ passphrase: String?) throws {
    #expect(try mode(path) == 0o600, "\(path)")
    let file = try PrivateKeyFile(path: TemporaryFolder.path(path))
    #expect(file.isEncrypted == (passphrase != nil), "\(path)")
    guard let passphrase else {
      _ = try file.open(with: nil)
      return
    }
    var bytes = Array(passphrase.utf8)
    _ = try file.open(with: Passphrase(wiping: &bytes))
  }

  private func mode(_ path: String) throws -> UInt32 {
    try OpenFile(reading: TemporaryFolder.path(path)).status().mode
  }
}
