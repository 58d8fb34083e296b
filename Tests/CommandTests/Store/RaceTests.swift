import Digests
import Foundation
import Glibc
import SystemFiles
import TestSupport
import Testing

/// Many processes change one model at once while others read it.
///
/// It lasts some seconds in the run of every day, and a minute with `scripts/test-store races`.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(10)))
struct RaceTests {
  private static let versions = ["1.0.0", "1.1.0", "1.2.0"]
  private let duration = Duration.seconds(SweepLength.isWhole ? 60 : 4)

  /// What one task has seen.
  private struct Tally: Sendable {
    var done = 0
    var codes: [Int: Int] = [:]
    var faults: [String] = []
  }

  @Test func `every reader sees one whole version, whatever eight writers do`() async throws {
    let home = try await ConsumerHome.trusting()
    var digests: [String: [String]] = [:]
    for version in Self.versions {
      let release = home.sceneRelease(version)
      for (name, content) in release.files {
        digests[SHA256Digest(of: content.bytes).hex, default: []].append("\(version) \(name)")
      }
    }
    try await home.installed(home.sceneRelease("1.0.0"))
    let changes =
      try Self.versions.map { try home.installing($0) + ["--allow-downgrade"] }
      + Self.versions.map { ["activate", "acme/tiny@\($0)", "--allow-downgrade"] }
      + [["rollback", "acme/tiny"], ["gc", "--keep", "1"]]
    let end = ContinuousClock.now + duration
    let known = digests
    let (writers, readers) = try await withThrowingTaskGroup(of: (Bool, Tally).self) { group in
      for (index, command) in changes.enumerated() {
        group.addTask { (true, try await write(command, index, home, until: end)) }
      }
      for _ in 0..<2 {
        group.addTask { (false, try await readPath(home, known, until: end)) }
        group.addTask { (false, await readCurrent(home, known, until: end)) }
        group.addTask { (false, try await start(home, known, until: end)) }
      }
      var (writers, readers) = ([Tally](), [Tally]())
      for try await (isWriter, tally) in group {
        if isWriter { writers.append(tally) } else { readers.append(tally) }
      }
      return (writers, readers)
    }
    for tally in writers + readers { #expect(tally.faults.isEmpty) }
    #expect(readers.allSatisfy { $0.done > 0 })
    let codes = writers.reduce(into: [:]) { $0.merge($1.codes, uniquingKeysWith: +) }
    let reads = readers.reduce(0) { $0 + $1.done }
    print("races: exit codes \(codes.sorted { $0.key < $1.key }), \(reads) reads")
    // On a loaded machine each writer comes to its turn once.
    #expect(codes[0, default: 0] > 0)

    #expect(try await home.run(changes[1]).ending == .exited(0))
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
    #expect(found.isEmpty)
  }

  /// Runs one command again and again.
  private func write(
    _ command: [String],
    _ index: Int,
    _ home: ConsumerHome,
    until end: ContinuousClock.Instant
  ) async throws -> Tally {
    var tally = Tally()
    repeat {
      let outcome = try await home.run(command)
      tally.done += 1
      tally.codes[outcome.exitCode ?? -1, default: 0] += 1
      // Done; not there just now; refused by the floor; another is at work.
      if ![0, 3, 6, 7].contains(outcome.exitCode ?? -1) {
        tally.faults.append("\(command.prefix(2)): \(outcome.ending) \(outcome.errors)")
      }
    } while ContinuousClock.now < end
    return tally
  }

  /// Asks for the path, and reads what is there.
  private func readPath(
    _ home: ConsumerHome,
    _ digests: [String: [String]],
    until end: ContinuousClock.Instant
  ) async throws -> Tally {
    var tally = Tally()
    repeat {
      let outcome = try await home.run(["path", "acme/tiny"])
      guard outcome.ending == .exited(0) else {
        tally.faults.append("path: \(outcome.errors)")
        continue
      }
      let path = String(outcome.output.dropLast())
      check(path, path, digests, home, &tally)
    } while ContinuousClock.now < end
    return tally
  }

  /// Starts a program that reads the version which it was given: that one never goes.
  private func start(
    _ home: ConsumerHome,
    _ digests: [String: [String]],
    until end: ContinuousClock.Instant
  ) async throws -> Tally {
    var tally = Tally()
    let script = """
      cd "$MODEL_DIR" && sha256sum weights.bin deep/notes.txt && echo "$MODEL_VERSION"
      """
    repeat {
      let outcome = try await home.run(["exec", "acme/tiny", "--", "sh", "-c", script])
      tally.done += 1
      let lines = outcome.output.split(separator: "\n").map(String.init)
      guard outcome.ending == .exited(0), lines.count == 3 else {
        tally.faults.append("exec: \(outcome.ending) \(outcome.errors)")
        continue
      }
      for line in lines.prefix(2) {
        let names = digests[String(line.prefix(64))] ?? []
        if !names.contains(where: { $0.hasPrefix("\(lines[2]) ") }) {
          tally.faults.append("exec of \(lines[2]) reads \(line)")
        }
      }
    } while ContinuousClock.now < end
    return tally
  }

  /// Resolves `current` once, and reads through it.
  private func readCurrent(
    _ home: ConsumerHome,
    _ digests: [String: [String]],
    until end: ContinuousClock.Instant
  ) async -> Tally {
    var tally = Tally()
    repeat {
      await Task.yield()
      let link = "\(home.oracle().folder)/current"
      // The name itself is never missing, nor does it ever lead nowhere but to a version that is on its way out.
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
        tally.faults.append("current is missing")
        continue
      }
      check("\(home.oracle().folder)/\(target)", target, digests, home, &tally)
    } while ContinuousClock.now < end
    return tally
  }

  /// Reads both files of a version: they belong together, or the version is no longer the active one.
  private func check(
    _ path: String,
    _ name: String,
    _ digests: [String: [String]],
    _ home: ConsumerHome,
    _ tally: inout Tally
  ) {
    let seen = ["weights.bin", "deep/notes.txt"].map { file -> Set<String> in
      guard let bytes = FileManager.default.contents(atPath: "\(path)/\(file)") else { return [] }
      let names = digests[SHA256Digest(of: Array(bytes)).hex] ?? ["bytes of nobody"]
      return Set(names.map { String($0.prefix { $0 != " " }) })
    }
    tally.done += 1
    if seen.contains([]) {
      let record = StoreSnapshot.record(at: "\(home.oracle().folder)/active.json")
      guard case .good(let active) = record, !name.contains(active.active) else {
        tally.faults.append("\(name) is active and not whole, or the record is damaged")
        return
      }
    } else if seen[0].isDisjoint(with: seen[1]) {
      tally.faults.append("\(name) is mixed: \(seen)")
    }
  }
}
