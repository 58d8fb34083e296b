import Foundation
import Glibc
import Manifests
import ReleaseSimulator
import Signatures
import SystemFiles
import TestSupport
import Testing

/// When nothing is repaired, and what else may go on meanwhile.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerRepairRefusalTests {
  private static let file = "weights.bin"
  private let release = ConsumerRelease(files: [file: .random(3 << 20)])
  private let older = ConsumerRelease(version: "0.9.0", files: [file: .random(3 << 20, seed: 9)])

  private var content: [UInt8] { release.files[Self.file]?.bytes ?? [] }

  /// A client whose active version has its two last chunks wrong.
  private func damaged(_ release: ConsumerRelease) async throws -> ConsumerHome {
    let home = try await ConsumerHome.trusting()
    try await home.installed(older)
    try await home.installed(release)
    let path = "\(try #require(try home.oracle().active()).path)/\(Self.file)"
    try rewrite(path) { bytes in
      bytes[1 << 20 + 77] ^= 1
      bytes[2 << 20 + 77] ^= 1
    }
    return home
  }

  enum Loss: CaseIterable { case withdrawnKey, withdrawnManifest, endedKey, noRule }

  @Test(arguments: Loss.allCases)
  func `without trust not a byte is changed`(loss: Loss) async throws {
    let home = try await damaged(release)
    switch loss {
    case .withdrawnKey:
      _ = try await home.run([
        "trust", "withdraw", "\(home.signer.fingerprint)", "--reason", "lost",
      ])
    case .withdrawnManifest:
      _ = try await home.run(["trust", "withdraw", "acme/tiny@1.0.0", "--reason", "broken"])
    case .endedKey:
      _ = try await home.run([
        "trust", "add", home.keyFile, "--models", "acme/*", "--not-after", "2020-01-01T00:00:00Z",
      ])
    case .noRule:
      _ = try await home.run(["trust", "add", home.keyFile, "--models", "other/*"])
      _ = try await home.run(["trust", "remove", "acme/*"])
    }
    let before = try DiskTree(at: home.store)
    let outcome = try await home.run([
      "repair", "acme/tiny", "--mirror", try home.fileMirror(release),
    ])
    #expect(outcome.ending == .exited(6), "\(outcome.errors)")
    let needle =
      switch loss {
      case .withdrawnKey: "is withdrawn: lost"
      case .withdrawnManifest: "withdrawn: broken"
      case .endedKey: "2020-01-01T00:00:00Z"
      case .noRule: "acme/tiny"
      }
    #expect(outcome.errors.contains(needle), "\(outcome.errors)")
    #expect(try DiskTree(at: home.store) == before)
  }

  @Test func `what is not there is not repaired`() async throws {
    let home = try await damaged(release)
    for (name, message) in [
      ("acme/other", "acme/other is not in the store"),
      ("acme/tiny@3.0.0", "acme/tiny 3.0.0 is not in the store"),
    ] {
      try await home.run(["repair", name]).expectRefusal(3, message, help: "sealift list")
    }
  }

  @Test func `without a mirror that answers the exit code is 4, and the next run goes on`()
    async throws
  {
    let home = try await damaged(release)
    let mirror = try FaultyMirror(files: [Self.file: content], .status(503))
    let outcome = try await home.run([
      "repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}", "--give-up", "1s",
    ])
    #expect(outcome.ending == .exited(4), "\(outcome.errors)")
    mirror.set(.honest)
    let again = try await home.run(["repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}"])
    #expect(again.ending == .exited(0), "\(again.errors)")
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  /// Starts a repair that has the first of two chunks and waits for the second.
  ///
  /// Which of them is asked for first is a matter of chance, so it has a connection for each.
  private func repairing(_ home: ConsumerHome) async throws -> (RunningTool, FaultyMirror) {
    let mirror = try FaultyMirror(files: [Self.file: content], .stallAt(2 << 20 + 300_000))
    let running = try home.withAllConnections.start([
      "repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}", "--give-up", "30m",
    ])
    let chunk = content[(1 << 20)..<(2 << 20)]
    #expect(
      try await eventually {
        guard let part = home.oracle().firstPart, part.count >= 2 << 20 else { return false }
        return part[(1 << 20)..<(2 << 20)].elementsEqual(chunk)
      }
    )
    return (running, mirror)
  }

  @Test func `a second repair or install is told that the model is busy, and others go on`()
    async throws
  {
    let home = try await damaged(release)
    let (running, mirror) = try await repairing(home)
    // The damaged version gives way to the one before, and is repaired all the same.
    for command in [["rollback", "acme/tiny"], ["gc", "--keep", "0"], ["doctor"], ["status"]] {
      let outcome = try await home.run(command)
      #expect([0, 10].contains(outcome.exitCode ?? -1), "\(command): \(outcome.errors)")
    }
    #expect(try home.oracle().active()?.version == "0.9.0")
    for arguments in [
      ["repair", "acme/tiny@1.0.0", "--no-wait"], ["remove", "acme/tiny"],
      ["install", "\(home.folder)/1.0.0.json", "--no-wait"],
    ] {
      try await home.run(arguments).expectRefusal(
        7,
        "another process is at work on acme/tiny",
        help: "wait for it, or look with sealift status"
      )
    }
    #expect(running.isRunning)
    mirror.set(.honest)
    mirror.cutConnections()
    let outcome = await running.wait()
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try await home.run(["activate", "acme/tiny@1.0.0"]).ending == .exited(0))
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test func `an interrupted repair says how to go on, and the next one fetches the rest`()
    async throws
  {
    let home = try await damaged(release)
    let (running, mirror) = try await repairing(home)
    running.interrupt()
    await running.wait().expectRefusal(
      130,
      "interrupted",
      help: "to go on, run the same command again"
    )
    mirror.set(.honest)
    let before = mirror.requests.count
    // What was fetched stays, even if other commands come in between that put models in order.
    _ = try await home.run(["gc"])
    let outcome = try await home.run(["repair", "acme/tiny", "--mirror", "\(mirror.url)/{name}"])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(mirror.requests.dropFirst(before).map(\.range) == ["bytes=2097152-3145727"])
    #expect(try home.oracle().active()?.version == "1.0.0")
    #expect(home.oracle().litter.isEmpty && home.oracle().candidates.isEmpty)
  }

  @Test(.enabled(PrivateMounts.notice) { await PrivateMounts.areAllowed() })
  func `a full disk is told before anything is fetched, and nothing has changed`() async throws {
    let home = try await ConsumerHome.trusting()
    let mirror = try home.fileMirror(release)
    var shell = try #require(Tool.installed("unshare"))
    shell.environment = home.tool.environment
    let outcome = try await shell.run([
      "-m", "sh", "-c",
      """
      sealift() { "\(home.tool.path)" "$@" \(home.places.joined(separator: " ")); }
      mkdir -m 700 \(home.store)
      mount -t tmpfs -o size=4m,mode=0700 tmpfs \(home.store)
      sealift install \(try home.publish(release)) --mirror \(mirror) >/dev/null || exit 90
      f=$(sealift path acme/tiny)/\(Self.file)
      chmod u+w $f; printf x | dd of=$f conv=notrunc status=none; chmod u-w $f
      sha256sum <$f
      sealift repair acme/tiny --mirror \(mirror)
      echo "exit $?"
      sha256sum <$f
      mount -o remount,size=12m \(home.store)
      sealift repair acme/tiny --mirror \(mirror) >/dev/null
      echo "exit $?"
      """,
    ])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[0] == lines[2], "\(outcome.output)\(outcome.errors)")
    #expect(lines[1] == "exit 8" && lines[3] == "exit 0", "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("error: not enough space on the disk of the store\n"))
  }
}
