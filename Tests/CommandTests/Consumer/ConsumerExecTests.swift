import Digests
import Foundation
import Glibc
import TestSupport
import Testing

/// Programs that are started with a model, and what others may not take from them.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerExecTests {
  private func release(_ version: String) -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(version: version, files: ["weights.bin": .random(50_000, seed: seed)])
  }

  private func home(_ versions: [String]) async throws -> ConsumerHome {
    let home = try await ConsumerHome.trusting()
    for version in versions { try await home.installed(release(version)) }
    return home
  }

  private func exec(_ home: ConsumerHome, _ script: String, _ options: [String] = []) async throws
    -> ToolOutcome
  {
    try await home.tool.run(
      ["exec", "acme/tiny"] + options + home.places + ["--", "sh", "-c", script]
    )
  }

  @Test func `the program gets the folder and the version, and its exit code is the answer`()
    async throws
  {
    let home = try await home(["1.0.0"])
    let outcome = try await exec(
      home,
      "cmp $MODEL_DIR/weights.bin \(home.folder)/blobs-1.0.0/weights.bin && echo $MODEL_VERSION; exit 42"
    )
    #expect(outcome.ending == .exited(42), "\(outcome.errors)")
    #expect(outcome.output == "1.0.0\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test func `a signal ends the program itself`() async throws {
    let home = try await home(["1.0.0"])
    #expect(try await exec(home, "kill -TERM $$").ending == .signalled(15))
    // No signal is left ignored or blocked.
    let masks = try await exec(home, "sed -nE 's/^Sig(Blk|Ign)://p' /proc/self/status").output
    let numbers = masks.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0, radix: 16) }
    // Above 31 are signals that the C library keeps for itself, and treats as it likes at a spawn.
    #expect(numbers.map { $0 & 0x7fff_ffff } == [0, 0], "\(masks)")
  }

  @Test func `only the lease is handed on, and it holds until the last child has ended`()
    async throws
  {
    let home = try await home(["1.0.0", "1.1.0"])
    let folder = home.oracle().names(in: "versions").filter { $0.hasPrefix("1.1.0") }[0]
    let outcome = try await exec(home, "ls -l /proc/self/fd | sed -n 's/.* -> //p'")
    let files = outcome.output.split(separator: "\n").filter { $0.hasPrefix(home.store) }
    #expect(files == ["\(home.oracle().folder)/leases/\(folder)"], "\(outcome.output)")

    var tool = home.tool
    tool.timeout = .seconds(300)
    let running = try tool.start(
      ["exec", "acme/tiny"] + home.places + [
        "--", "sh", "-c", "sleep 900 & echo $!",
      ]
    )
    #expect(await running.waitForOutput { $0.hasSuffix("\n") })
    let child = try #require(
      pid_t(String(decoding: running.standardOutput, as: UTF8.self).dropLast())
    )
    for version in ["2.0.0", "3.0.0", "4.0.0"] { try await home.installed(release(version)) }
    let kept = try await home.run(["gc", "--explain", "--keep", "0"])
    #expect(kept.output.contains("acme/tiny version \(folder) ("))
    #expect(kept.output.contains("stays: in use, by a program"))
    #expect(home.oracle().versions == ["1.1.0", "3.0.0", "4.0.0"])
    try await home.run(["remove", "acme/tiny@1.1.0"]).expectRefusal(
      7,
      "a process uses acme/tiny 1.1.0",
      help: "end it first"
    )
    #expect(Glibc.kill(child, SIGKILL) == 0)
    // The kernel gives the lease back in its own time.
    let flock = try #require(Tool.installed("flock"))
    _ = try await flock.run(["\(home.oracle().folder)/leases/\(folder)", "true"])
    #expect(try await home.run(["gc", "--keep", "0"]).ending == .exited(0))
    #expect(home.oracle().versions == ["3.0.0", "4.0.0"])
  }

  @Test func `a damaged active version gives way before the program starts`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    let path = try #require(try home.oracle().active()).path
    try flip("\(path)/weights.bin")
    let outcome = try await exec(home, "echo $MODEL_VERSION")
    #expect(outcome.output == "1.0.0\n")
    #expect(
      outcome.errors.hasPrefix(
        "warning: acme/tiny: return from 1.1.0, which is damaged, to 1.0.0: done\n"
      ),
      "\(outcome.errors)"
    )
  }

  @Test func `without a whole version nothing starts`() async throws {
    let home = try await home(["1.0.0"])
    let path = try #require(try home.oracle().active()).path
    try flip("\(path)/weights.bin")
    let outcome = try await exec(home, "echo started")
    outcome.expectRefusal(5, "version 1.0.0 in the store is damaged", help: "sealift repair")
  }

  @Test func `a full check reads what the stamp vouches for`() async throws {
    let home = try await home(["1.0.0"])
    #expect(try await exec(home, "true", ["--verify=full"]).ending == .exited(0))
    let path = try #require(try home.oracle().active()).path
    let stamps = "\(home.oracle().folder)/stamps/\(home.oracle().names(in: "stamps")[0])"
    try flip("\(path)/weights.bin")
    try Self.forge(stamps, for: "\(path)/weights.bin")
    #expect(try await exec(home, "true").ending == .exited(0))
    try await exec(home, "true", ["--verify=full"])
      .expectRefusal(5, "version 1.0.0 in the store is damaged", help: "sealift repair")
  }

  @Test func `a bad version starts where nothing else is there, but not in silence`() async throws {
    let home = try await home(["1.0.0"])
    #expect(try await home.run(["mark", "bad", "acme/tiny", "--reason", "it lies"]).exitCode == 0)
    let outcome = try await exec(home, "echo started")
    #expect(outcome.output == "started\n")
    #expect(
      outcome.errors == """
        warning: acme/tiny 1.0.0 is marked bad, and no other version is active
          note: reason: it lies
          help: install or activate another version

        """
    )
  }

  @Test func `a trial whose way back is damaged says how to go on`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    #expect(try await home.run(["activate", "acme/tiny@1.0.0"]).exitCode == 0)
    #expect(
      try await home.run(["activate", "acme/tiny@1.1.0", "--trial", "1"]).exitCode == 0
    )
    #expect(try await exec(home, "true").exitCode == 0)
    let old = home.oracle().names(in: "versions").filter { $0.hasPrefix("1.0.0") }[0]
    try flip("\(home.oracle().folder)/versions/\(old)/files/weights.bin")
    try await exec(home, "true").expectRefusal(
      5,
      "version 1.0.0 in the store is damaged",
      note: "the trial of 1.1.0 has used up its starts",
      help: "sealift mark good acme/tiny keeps 1.1.0"
    )
    #expect(try await home.run(["mark", "good", "acme/tiny"]).exitCode == 0)
    #expect(try await exec(home, "echo $MODEL_VERSION").output == "1.1.0\n")
  }

  @Test func `a trial whose way back is withdrawn meanwhile says how to go on`() async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    for arguments in [
      ["activate", "acme/tiny@1.0.0"], ["activate", "acme/tiny@1.1.0", "--trial", "1"],
      ["trust", "withdraw", "acme/tiny@1.0.0", "--reason", "it lies"],
    ] {
      #expect(try await home.run(arguments).exitCode == 0)
    }
    #expect(try await exec(home, "true").exitCode == 0)
    try await exec(home, "true").expectRefusal(
      6,
      "the release is withdrawn: it lies",
      note: "the trial of 1.1.0 has used up its starts",
      help: "sealift mark good acme/tiny keeps 1.1.0"
    )
  }

  @Test(arguments: [("no-such-program", 3), ("/etc/passwd", 8)])
  func `a program that cannot be started is a failure of its own`(
    program: String,
    code: Int
  ) async throws {
    let home = try await home(["1.0.0"])
    let outcome = try await home.tool.run(["exec", "acme/tiny"] + home.places + ["--", program])
    #expect(outcome.exitCode == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(program))
  }

  @Test func `signals that were ignored are ignored by the program too`() async throws {
    let home = try await home(["1.0.0"])
    var shell = try #require(Tool.installed("sh"))
    shell.environment = home.tool.environment
    let outcome = try await shell.run(
      ["-c", "trap '' HUP INT PIPE; exec \"$0\" \"$@\"", home.tool.path, "exec", "acme/tiny"]
        + home.places + ["--", "sed", "-nE", "s/^SigIgn://p", "/proc/self/status"]
    )
    let number = UInt64(outcome.output.filter { !$0.isWhitespace }, radix: 16)
    let expected: UInt64 = [SIGHUP, SIGINT, SIGPIPE].reduce(0) { $0 | 1 << UInt64($1 - 1) }
    #expect(number.map { $0 & 0x7fff_ffff } == expected, "\(outcome.output)\(outcome.errors)")
  }

  @Test(arguments: ["activate", "exec"])
  func `a signal while another process changes the model ends the command, and nothing is done`(
    command: String
  ) async throws {
    let home = try await home(["1.0.0", "1.1.0"])
    let lock = "\(home.oracle().folder)/state.lock"
    var flock = try #require(Tool.installed("flock"))
    flock.timeout = .seconds(300)
    let holder = try flock.start(["-o", lock, "sh", "-c", "echo held; exec sleep 900"])
    #expect(await holder.waitForOutput { $0 == "held\n" })
    let words =
      command == "exec"
      ? ["exec", "acme/tiny"] + home.places + ["--", "echo", "started"]
      : ["activate", "acme/tiny@1.0.0", "--allow-downgrade"] + home.places
    let running = try home.tool.start(words)
    while running.isRunning, !Self.hasOpen(lock, running.process) { await Task.yield() }
    running.terminate()
    let outcome = await running.wait()
    outcome.expectRefusal(130, "interrupted")
    #expect(outcome.output.isEmpty)
    #expect(try home.oracle().active()?.version == "1.1.0")
    holder.killGroup()
    _ = await holder.wait()
  }

  private static func hasOpen(_ path: String, _ process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }
  }

  // MARK: Trials

  @Test func `a program that is not there uses up no start, and a trial under way begins not anew`()
    async throws
  {
    let home = try await home(["1.0.0"])
    let next = release("1.1.0")
    _ = try await home.run([
      "install", try home.publish(next), "--mirror", try home.fileMirror(next), "--no-activate",
    ])
    _ = try await home.run(["activate", "acme/tiny@1.1.0", "--trial", "1"])
    for program in ["no-such-program", "/no/such/program"] {
      let outcome = try await home.tool.run(["exec", "acme/tiny"] + home.places + ["--", program])
      #expect(outcome.exitCode == 3, "\(outcome.errors)")
    }
    try await home.run(["activate", "acme/tiny@1.1.0", "--trial", "5"]).expectRefusal(
      2,
      "acme/tiny 1.1.0 is active already, so no trial begins"
    )
    #expect(try await exec(home, "echo $MODEL_VERSION").output == "1.1.0\n")
    #expect(try await exec(home, "echo $MODEL_VERSION").output == "1.0.0\n")
  }

  @Test func `a version on trial returns to the one before when its starts are used up`()
    async throws
  {
    let home = try await home(["1.0.0"])
    let next = release("1.1.0")
    _ = try await home.run([
      "install", try home.publish(next), "--mirror", try home.fileMirror(next), "--no-activate",
    ])
    let activated = try await home.run(["activate", "acme/tiny@1.1.0", "--trial", "2"])
    #expect(activated.errors == "acme/tiny 1.1.0 is active, on trial for 2 more starts\n")
    #expect(try await exec(home, "echo $MODEL_VERSION").output == "1.1.0\n")
    let status = try await home.run(["status"])
    #expect(
      status.output == "acme/tiny: active 1.1.0\n  on trial, 1 start left\n  previous 1.0.0\n"
    )
    #expect(try await exec(home, "echo $MODEL_VERSION; kill -9 $$").output == "1.1.0\n")
    let back = try await exec(home, "echo $MODEL_VERSION")
    #expect(back.output == "1.0.0\n", "\(back.errors)")
    #expect(back.errors.contains("warning: acme/tiny: mark 1.1.0 bad, whose trial has ended"))
    #expect(try home.oracle().active()?.version == "1.0.0")
    let after = try await home.run(["status"])
    #expect(
      after.output == """
        acme/tiny: active 1.0.0
          1.1.0 is marked bad: its trial ended without a good mark

        """
    )
    try await home.run(["rollback", "acme/tiny"])
      .expectRefusal(3, "no other version of acme/tiny was active before")
    #expect(try await home.run(["activate", "acme/tiny@1.1.0"]).ending == .exited(0))
    #expect(try await home.run(["status"]).output == "acme/tiny: active 1.1.0\n  previous 1.0.0\n")
  }

  @Test func `marked good it stays, and marked bad the one before returns at once`() async throws {
    let home = try await home(["1.0.0"])
    let next = release("1.1.0")
    _ = try await home.run([
      "install", try home.publish(next), "--mirror", try home.fileMirror(next), "--no-activate",
    ])
    _ = try await home.run(["activate", "acme/tiny@1.1.0", "--trial", "1"])
    #expect(
      try await home.run(["mark", "good", "acme/tiny"]).output == "acme/tiny 1.1.0 is good\n"
    )
    for _ in 0..<3 { #expect(try await exec(home, "echo $MODEL_VERSION").output == "1.1.0\n") }
    let bad = try await home.run(["mark", "bad", "acme/tiny", "--reason", "it lies"])
    #expect(bad.output == "acme/tiny 1.1.0 is bad\n")
    #expect(bad.errors == "acme/tiny 1.0.0 is active\n")
    #expect(
      try await home.run(["status"]).output
        == "acme/tiny: active 1.0.0\n  1.1.0 is marked bad: it lies\n"
    )
  }

  @Test func `a trial without anything to return to is refused`() async throws {
    let home = try await ConsumerHome.trusting()
    let first = release("1.0.0")
    _ = try await home.run([
      "install", try home.publish(first), "--mirror", try home.fileMirror(first), "--no-activate",
    ])
    try await home.run(["activate", "acme/tiny@1.0.0", "--trial", "1"]).expectRefusal(
      3,
      "acme/tiny has no other version to return to, should its trial fail",
      help: "sealift activate acme/tiny@VERSION without --trial activates one for good"
    )
  }

  private func flip(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: 1_000)
    let byte = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: 1_000)
    try handle.write(contentsOf: Data([byte ^ 1]))
    try handle.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
  }

  /// Makes a stamp match a file again, as nothing but the clock or the raw device could.
  private static func forge(_ stamp: String, for file: String) throws {
    var facts = stat()
    guard unsafe lstat(file, &facts) == 0 else { throw SupportError.notStarted(file) }
    let text = try String(contentsOfFile: stamp, encoding: .utf8)
    var line = String(text.split(separator: "\n")[0])
    for (name, time) in [("modified", facts.st_mtim), ("changed", facts.st_ctim)] {
      let number = time.tv_sec * 1_000_000_000 + time.tv_nsec
      // The file stands before the folders.
      let range = line.range(of: "\"\(name)\":[0-9]+", options: .regularExpression)
      line.replaceSubrange(try #require(range), with: "\"\(name)\":\(number)")
    }
    let seal = SHA256Digest(of: Array(line.utf8)).hex
    try Data("\(line)\nsha256:\(seal)\n".utf8).write(to: URL(filePath: stamp))
  }
}
