import Foundation
import Signatures
import SystemFiles
import TestSupport
import Testing

/// No secret is where others could find it: arguments, environment, output, files, core dumps, memory that a core dump
/// would hold.
@Suite(
  .temporaryFolder,
  .timeLimit(.minutes(10)),
  .disabled(if: Sanitizer.isActive, "sanitizers need memory of their own")
)
struct KeySecretTests {
  private static let needsRoot: Comment = "only root looks into a process that holds secrets"
  private static let passphrase = "correct-horse-7f3a"
  private static let other = "battery-staple-91cd"
  private static let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"

  /// The scalar that RFC 8032 section 5.1.5 makes of the seed; signing needs nothing else.
  private static let expanded = "307c83864f2833cb427a2ef1c00a013cfdff2768d980c0a3a520f006904de94f"

  /// A secret in each spelling in which it could turn up.
  private struct Needle {
    let name: String
    let spellings: [[UInt8]]

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      let hex = bytes.map { String(format: "%02x", $0) }.joined()
      // Base64 looks different at each of three places; the first and last digits mix with their neighbours.
      let base64 = (0..<3).map { shift in
        let digits = Base64.encode([UInt8](repeating: 0, count: shift) + bytes)
        return Array(digits.utf8.dropFirst(shift == 0 ? 0 : 4).prefix(bytes.count - 4))
      }
      spellings = [bytes, Array(hex.utf8), Array(hex.uppercased().utf8)] + base64
    }

    func isFound(in bytes: [UInt8]) -> Bool {
      spellings.contains { holds(bytes, $0) }
    }
  }

  private static let needles = [
    Needle("the seed", bytes(ofHex: seed)),
    Needle("the expanded key", bytes(ofHex: expanded)),
    Needle("the passphrase", Array(passphrase.utf8)), Needle("the new one", Array(other.utf8)),
  ]

  private static func bytes(ofHex text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }

  /// Makes `keys/ours.key` of the known seed.
  private func prepare() async throws {
    try place(Array(Self.seed.utf8), at: "seed")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: TemporaryFolder.path("seed")
    )
    let made = try await runKeyTool(
      ["key", "import", "--raw", "seed", "ours"],
      [given(.descriptor, Self.passphrase, [])]
    )
    try #require(made.exitCode == 0, "\(made.errors)")
  }

  private func given(
    _ way: PassphraseWay,
    _ text: String,
    _ questions: [String],
    option: String = "--passphrase"
  ) -> GivenPassphrase {
    GivenPassphrase(text: text, way: way, option: option, questions: questions)
  }

  private func expectNothing(in bytes: [UInt8], _ place: String) {
    for needle in Self.needles {
      #expect(!needle.isFound(in: bytes), "\(needle.name) stands in \(place)")
    }
  }

  /// What a process shows to whoever may look, and what a core dump of it would hold.
  private func expectNothing(of process: Int32, _ moment: String) throws {
    func file(_ name: String) throws -> [UInt8] {
      try OpenFile(reading: "/proc/\(process)/\(name)").readAll(limit: 1 << 22)
    }
    expectNothing(in: try file("cmdline"), "the arguments \(moment)")
    expectNothing(in: try file("environ"), "the environment \(moment)")
    let memory = try ProcessMemory(of: process)
    #expect(memory.contents.count > 10)
    for needle in Self.needles {
      for spelling in needle.spellings {
        let found = memory.regions(with: spelling).filter(\.isDumped)
        #expect(found.isEmpty, "\(needle.name) \(moment): \(found)")
      }
    }
    let limits = String(decoding: try file("limits"), as: UTF8.self)
    let cores = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(cores?.split(separator: " ").dropFirst(4).first == "0")
  }

  // MARK: While the key is open

  /// `key passphrase` has opened the key, and waits for the new passphrase at the terminal.
  @Test(
    .enabled(if: ProcessMemory.isOpen, needsRoot),
    arguments: PassphraseWay.allCases.filter { $0 != .terminal }
  )
  func `while the key is open and a question waits, no core dump would hold a secret`(
    way: PassphraseWay
  ) async throws {
    try await prepare()
    let outcome = try await runKeyTool(
      ["key", "passphrase", "keys/ours.key"],
      [
        given(way, Self.passphrase, []),
        given(
          .terminal,
          Self.other,
          ["new passphrase for keys/ours.key: ", "the same again: "],
          option: "--new-passphrase"
        ),
      ],
      meanwhile: { process, _ in
        try expectNothing(of: process, "while the key is open")
        // It is there, so the look would find it elsewhere too: in guarded memory.
        let memory = try ProcessMemory(of: process)
        let guarded = memory.regions(with: Self.bytes(ofHex: Self.seed))
        #expect(!guarded.isEmpty && guarded.allSatisfy { !$0.isDumped }, "\(guarded)")
      }
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    expectNothing(in: outcome.outcome.standardOutput, "the output")
    expectNothing(in: outcome.outcome.standardError, "the messages")
    expectNothing(in: Array(outcome.screen.utf8), "the screen")
  }

  /// Commands that open a key, and write a file with it.
  static let commands: [(name: String, words: [String])] = [
    ("sign", ["sign", "m.json", "--key", "keys/ours.key"]),
    (
      "key export as PKCS#8",
      [
        "key", "export", "keys/ours.key", "--format", "pkcs8", "--output", "out/made",
      ]
    ),
    (
      "key export for OpenSSH",
      [
        "key", "export", "keys/ours.key", "--format", "openssh", "--output", "out/made",
      ]
    ),
    ("key import", ["key", "import", "keys/ours.key", "made", "--dir", "out"]),
  ]

  /// The command is held back before it writes the first byte, when the key is open.
  @Test(
    .enabled(if: ProcessMemory.isOpen, needsRoot),
    .enabled("this process must not trace others", CallStriker.isAvailable),
    arguments: commands,
    [PassphraseWay.file, .variable]
  )
  func `at the last moment of a command no core dump would hold a secret`(
    command: (name: String, words: [String]),
    way: PassphraseWay
  ) async throws {
    try await prepare()
    try await buildManifest()
    try FileManager.default.createDirectory(
      atPath: TemporaryFolder.path("out"),
      withIntermediateDirectories: false
    )
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let option: [String]
    if way == .variable {
      tool.environment["THE_PASSPHRASE"] = Self.passphrase
      option = ["--passphrase-env", "THE_PASSPHRASE"]
    } else {
      try place(Array(Self.passphrase.utf8), at: "passphrase")
      option = ["--passphrase-file", "passphrase"]
    }
    let striker = try CallStriker(
      tool,
      watching: TemporaryFolder.current,
      log: "/dev/null"
    )
    let go = TemporaryFolder.path("go")
    try #require(unsafe mkfifo(go, 0o600) == 0)
    let running = try striker.start(
      command.words + option,
      [StrikeRule(.before("echo held back >&2; read line < \(go)"), "pwrite64", 1...1)]
    )
    let isHeld = await running.waitForErrors { $0.contains("held back") }
    try #require(isHeld)
    let process = try #require(
      children(of: running.process).first { process in
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name?.hasPrefix("sealift-publish") ?? false
      }
    )
    try expectNothing(of: process, "of \(command.name)")
    try Data("go\n".utf8).write(to: URL(filePath: go))
    let outcome = await running.wait()
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    expectNothing(in: outcome.standardOutput, "the output")
    expectNothing(in: outcome.standardError, "the messages")
  }

  // MARK: A crash

  /// Says of its child, when that crashes, whether it dumped its core.
  private static let crashScript = """
    ulimit -c unlimited; "$0" "$@" & wait $!
    """

  /// Whether a crash leaves a core dump on this system; elsewhere its absence would show nothing.
  static func dumpsCores() async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard var shell = Tool.installed("bash") else { return false }
    shell.folder = folder.path
    let outcome = try await shell.run(["-c", crashScript, "bash", "-c", "kill -ABRT $$"])
    return outcome.errors.contains("core dumped")
  }

  /// What a shell says of a child that crashes once it has shown `ready`.
  private func crash(_ words: [String], ready: String) async throws -> String {
    let terminal = try #require(TestTerminal())
    var tool = try #require(Tool.installed("setsid"))
    tool.folder = TemporaryFolder.current
    let script = "exec 9<>\(terminal.path); \(Self.crashScript)"
    let running = try tool.start(["--wait", "/bin/bash", "-c", script] + words)
    let end = Task {
      let outcome = await running.wait()
      terminal.end()
      return outcome
    }
    try #require(await terminal.wait(for: ready), "\(terminal.text)")
    let shell = try #require(children(of: running.process).first)
    let process = try #require(children(of: shell).first)
    kill(process, SIGABRT)
    return await end.value.errors
  }

  @Test(.enabled("this system makes no core dumps", dumpsCores))
  func `a crash while the key is open leaves no core dump`() async throws {
    try await prepare()
    try place(Array(Self.passphrase.utf8), at: "passphrase")
    let errors = try await crash(
      [
        try Tool.built("sealift-publish").path, "key", "passphrase", "keys/ours.key",
        "--passphrase-file", "passphrase",
      ],
      ready: "new passphrase for keys/ours.key: "
    )
    #expect(errors.contains("Aborted"), "\(errors)")
    #expect(!errors.contains("core dumped"), "\(errors)")
    // The runtime of Swift would print what is in registers, and where they point.
    #expect(!errors.contains("acktrac"), "\(errors)")
  }
}
