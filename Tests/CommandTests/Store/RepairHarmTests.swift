import Foundation
import ReleaseSimulator
import StrictJSON
import SystemFiles
import TestSupport
import Testing

/// Whatever was done to a version, a repair makes it whole, touches nothing elsewhere and keeps what it takes out.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(10)))
struct RepairHarmTests {
  /// Harm done by a shell in the folder of the files, which is `$files`; `$outside` is a folder beside the store.
  struct Harm: Sendable, CustomTestStringConvertible {
    let script: String
    /// The words for programs, one for each finding.
    let verdicts: [String]
    /// What lies in the trash afterwards, beneath `files`.
    var trash: [String] = []

    var testDescription: String { script }
  }

  private static let harms = [
    Harm(script: "truncate -s 70000 weights.bin", verdicts: ["truncated"], trash: ["weights.bin"]),
    Harm(script: ": >weights.bin", verdicts: ["empty"], trash: ["weights.bin"]),
    Harm(script: "echo x >>weights.bin", verdicts: ["wrongSize"], trash: ["weights.bin"]),
    Harm(script: "rm weights.bin", verdicts: ["missing"]),
    Harm(script: "rm -r deep", verdicts: ["missing"]),
    Harm(script: "rm -r ../files", verdicts: ["missing", "missing"]),
    Harm(
      script: "mv weights.bin $outside/w; ln -s $outside/w weights.bin",
      verdicts: ["wrongType"],
      trash: ["weights.bin"]
    ),
    Harm(
      script: "mv deep $outside/deep; ln -s $outside/deep deep",
      verdicts: ["wrongType", "extra"],
      trash: ["deep"]
    ),
    Harm(
      script: "mv $files $outside/f; ln -s $outside/f $files",
      verdicts: ["missing", "missing"]
    ),
    Harm(
      script:
        "rm weights.bin; mkdir -p weights.bin/x; echo y >weights.bin/x/y; chmod 555 weights.bin",
      verdicts: ["wrongType", "extra"],
      trash: ["weights.bin", "weights.bin/x", "weights.bin/x/y"]
    ),
    Harm(
      script: "rm weights.bin; mkfifo weights.bin",
      verdicts: ["wrongType"],
      trash: ["weights.bin"]
    ),
    Harm(script: "chmod 4777 weights.bin", verdicts: ["wrongMode"]),
    Harm(script: "echo x >extra", verdicts: ["extra"], trash: ["extra"]),
    Harm(
      script: "mkdir -m 555 deep/odd; chmod 755 deep/odd; echo x >deep/odd/x; chmod 555 deep/odd",
      verdicts: ["extra"],
      trash: ["deep/odd", "deep/odd/x"]
    ),
    Harm(script: "ln -s $outside/canary extra", verdicts: ["extra"], trash: ["extra"]),
    Harm(
      script: "ln weights.bin $outside/twin",
      verdicts: ["linkedElsewhere"],
      trash: ["weights.bin"]
    ),
    Harm(
      script:
        "chmod u+w weights.bin; printf x | dd of=weights.bin conv=notrunc status=none; ln weights.bin $outside/twin",
      verdicts: ["modified", "linkedElsewhere", "wrongMode"],
      trash: ["weights.bin"]
    ),
    Harm(
      script: "rm ../manifest.json; truncate -s 9 deep/notes.txt",
      verdicts: ["truncated"],
      trash: ["deep/notes.txt"]
    ),
  ]

  private func damaged(_ harm: String) async throws -> (ConsumerHome, files: String) {
    let home = try await ConsumerHome.trusting()
    try await home.installed(home.sceneRelease("1.0.0"))
    let files = try #require(try home.oracle().active()).path
    let outside = "\(home.folder)/outside"
    _ = try Folder(creating: outside, mode: 0o755)
    try replaceFile(at: "\(outside)/canary", with: [1, 2, 3], mode: 0o644)
    var shell = try #require(Tool.installed("sh"))
    shell.environment["outside"] = outside
    shell.environment["files"] = files
    shell.folder = files
    // As root the modes of folders are no obstacle; as another user they are lifted first.
    let lift = "chmod u+w .. . deep; "
    let outcome = try await shell.run(["-ec", lift + harm])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    return (home, files)
  }

  private func repair(_ home: ConsumerHome) async throws -> ToolOutcome {
    try await home.run([
      "repair", "acme/tiny", "--json", "--mirror", "file://\(home.folder)/blobs-1.0.0/{name}",
    ])
  }

  /// What is beneath `files` in the folders of the trash, but for empty folders of the release.
  private func trash(_ home: ConsumerHome) throws -> [String] {
    let folders = home.oracle().names(in: "trash").filter { $0 != "CACHEDIR.TAG" }
    return try folders.flatMap { folder in
      try DiskTree(at: "\(home.oracle().folder)/trash/\(folder)").entries.keys.compactMap { path in
        path.hasPrefix("files/") ? String(path.dropFirst(6)) : nil
      }
    }.filter { $0 != "deep" || home.isLink("deep", inTrash: folders) }.sorted()
  }

  @Test(arguments: harms)
  func `a harmed version is whole afterwards, and nothing outside has changed`(
    _ harm: Harm
  ) async throws {
    let (home, files) = try await damaged(harm.script)
    let outside = try contents(of: "\(home.folder)/outside")
    let outcome = try await repair(home)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let findings = try outcome.events().filter { $0["event"] == "finding" }
    #expect(findings.map { $0["verdict"] } == harm.verdicts.map { .string($0) })
    // Hashes the active version and looks for what does not belong there.
    #expect(try home.oracle().active()?.path == files)
    #expect(try trash(home) == harm.trash.sorted())
    #expect(try contents(of: "\(home.folder)/outside") == outside)
    for (path, entry) in try DiskTree(at: splitPath(files).folder).entries {
      #expect(entry.status.mode == (entry.status.kind == .folder ? 0o555 : 0o444), "\(path)")
      #expect(entry.status.kind == .folder || entry.status.linkCount == 1, "\(path)")
    }
    let status = try await home.run(["status"])
    #expect(status.output == "acme/tiny: active 1.0.0\n", "\(status.output)")
    #expect(home.oracle().litter.isEmpty && home.oracle().candidates.isEmpty)
    let again = try await repair(home)
    #expect(try again.events().filter { $0["event"] == "finding" }.isEmpty)
  }

  /// The bytes and inodes of all files in a folder.
  private func contents(of folder: String) throws -> [String: [UInt8]] {
    try DiskTree(at: folder).entries.filter { $0.value.status.kind == .file }
      .reduce(into: [:]) { contents, entry in
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(entry.key)") ?? Data()
        let mark = "\(entry.value.status.identity) \(entry.value.status.modifiedAt) "
        contents[entry.key] = Array(mark.utf8) + bytes
      }
  }

  @Test func `a name that is no text is taken out too`() async throws {
    let (home, files) = try await damaged("true")
    _ = try makeFileWithoutText(in: files)
    let outcome = try await repair(home)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active() != nil)
    let name = try #require(home.oracle().names(in: "trash").first { $0 != "CACHEDIR.TAG" })
    let taken = try Folder(path: "\(home.oracle().folder)/trash/\(name)/files").entries()
    #expect(taken.map(\.kind) == [.folder, .other])
  }

  @Test func `what was taken out is kept for a day, and goes when a download needs the room`()
    async throws
  {
    let (home, _) = try await damaged("echo x >extra")
    _ = try await repair(home)
    let collected = try await home.run(["gc", "--explain"])
    #expect(collected.output.contains("taken out of a version by a repair less than a day ago"))
    #expect(try trash(home) == ["extra"])
    let purged = try await home.run(["gc", "--json"])
    #expect(purged.ending == .exited(0))
  }
}

extension ConsumerHome {
  fileprivate func isLink(_ name: String, inTrash folders: [String]) -> Bool {
    folders.contains { folder in
      let path = "\(oracle().folder)/trash/\(folder)/files/\(name)"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }
  }
}
