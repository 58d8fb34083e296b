import Foundation
import Glibc
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

  @Test func `a name that Unicode calls the same as one of the release is taken out too`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let release = ConsumerRelease(files: ["K/notes.txt": .random(99), "TOKENS": .random(90_000)])
    try await home.installed(release)
    let files = try #require(try home.oracle().active()).path
    // The sign of the kelvin, which is a K to whoever compares texts.
    try setMode(of: files, 0o755)
    try replaceFile(at: "\(files)/TO\u{212A}ENS", with: [1], mode: 0o444)
    _ = try Folder(path: files).makeFolder("\u{212A}", mode: 0o555)
    try setMode(of: files, 0o555)
    let outcome = try await home.run([
      "repair", "acme/tiny", "--mirror", try home.fileMirror(release),
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    func names(_ folder: String) throws -> [[UInt8]] {
      try Folder(path: folder).entries().map { Array($0.name.utf8) }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
    #expect(try names(files) == [Array("K".utf8), Array("TOKENS".utf8)])
    let trash = try #require(home.oracle().names(in: "trash").first { $0 != "CACHEDIR.TAG" })
    let taken = try names("\(home.oracle().folder)/trash/\(trash)/files")
    #expect(taken.contains(Array("TO\u{212A}ENS".utf8)))
    #expect(taken.contains(Array("\u{212A}".utf8)))
  }

  /// The words about it are those of the help.
  @Test(.enabled("this process must not trace others", CallStriker.isAvailable))
  func `where names cannot be exchanged, a kill leaves a name empty until the next run`()
    async throws
  {
    let (home, files) = try await damaged("true")
    let path = "\(files)/weights.bin"
    let command = [
      "repair", "acme/tiny", "--mirror", "file://\(home.folder)/blobs-1.0.0/{name}",
    ]
    let striker = try CallStriker(home)
    let none = StrikeRule(.error(EINVAL), "renameat2")
    try rewrite(path) { $0[70_000] ^= 1 }
    let whole = try await striker.run(command, [none])
    #expect(whole.ending == .exited(0), "\(whole.errors)")
    // The wrong file has a name of its own from this call on, and the right one takes its place with the next.
    let first = try #require(
      try striker.calls().first {
        $0.name == "renameat" && $0.paths.contains { $0.contains("weights.bin.") }
      }
    )
    let next = first.numberOfName + 1
    try rewrite(path) { $0[70_000] ^= 1 }
    let kill = StrikeRule(.kill, "renameat", next...next)
    #expect(try await striker.run(command, [none, kill]).ending == .signalled(9))
    #expect(!FileManager.default.fileExists(atPath: path))
    let status = try await home.run(["status"])
    #expect(status.output.contains("1.0.0 is damaged\n"), "\(status.output)")
    let outcome = try await striker.run(command, [none])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active()?.path == files)
    let help = try await Tool.built("sealift").run(["help", "repair"]).output
    #expect(
      help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "a name is empty for a moment, and after a kill until the next run"
      )
    )
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
