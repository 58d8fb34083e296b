import Foundation
import StrictJSON
import SystemFiles
import TestSupport
import Testing

/// What stands in the wrong place in the folder of one model is told, put right where that can be, and stops no other.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(10)))
struct DoctorTests {
  /// Harm done by a shell in the folder of the model; `$outside` is a folder beside the store, `$active` and
  /// `$previous` the versions.
  struct Harm: Sendable, CustomTestStringConvertible {
    let script: String
    /// The code of a look and of a repair once nothing is left to do.
    let code: Int
    /// Whether a look finds something that a repair does.
    var isRepaired = true

    var testDescription: String { script }
  }

  private static let harms = [
    // What can be made anew.
    Harm(script: "rm -r stamps; : >stamps", code: 0),
    Harm(script: "rm -r staging; ln -s $outside staging", code: 0),
    Harm(script: "rm -r leases; ln -s $outside leases", code: 0),
    Harm(script: "rm -r manifests; mkfifo manifests", code: 0),
    Harm(script: "rm -r trash; : >trash", code: 0),
    Harm(script: "cp -rL current copy; rm current; mv copy current", code: 0),
    Harm(script: "rm leases/$active; mkdir -p leases/$active/x", code: 0),
    Harm(script: "rm leases/$active; mkfifo leases/$active", code: 0),
    Harm(script: "rm leases/$active; ln -s $outside/canary leases/$active", code: 0),
    Harm(script: "rm stamps/$active.json; mkdir stamps/$active.json", code: 0),
    Harm(script: "mkdir -p versions/9.9.9-0123456789abcdef", code: 0),
    Harm(script: "chmod 4777 versions/$active/files/weights.bin", code: 0),
    Harm(script: "chmod 755 versions/$previous", code: 0),
    Harm(script: "mkdir bad.json", code: 0),
    Harm(script: ": >pins.json", code: 0),
    // What only a person can put right.
    Harm(script: ": >../../floors/acme+tiny.json", code: 10, isRepaired: false),
    Harm(
      script: "f=versions/$previous/files; chmod u+w $f; echo x >$f/x; chmod u-w $f",
      code: 10
    ),
    Harm(
      script: """
        chmod u+w versions/$active versions/$previous
        mv versions/$active x; mv versions/$previous versions/$active; mv x versions/$previous
        """,
      code: 10
    ),
    Harm(script: ": >active.json; rm current", code: 8, isRepaired: false),
    Harm(script: "mv bad.json x || :; ln -s $outside/canary bad.json", code: 8),
    Harm(script: "mv active.json $outside/r; ln -s $outside/r active.json", code: 8),
    Harm(script: "mv versions $outside/v; ln -s $outside/v versions", code: 8),
    Harm(script: "rm -f install.lock; mkfifo install.lock", code: 8),
    Harm(script: "mkdir ../'acme+th ird'; : >../acme+third", code: 8, isRepaired: false),
  ]

  private func prepared(_ harm: Harm) async throws -> ConsumerHome {
    let home = try await ConsumerHome.trusting()
    for model in ["acme/other", "acme/tiny"] {
      for version in ["1.0.0", "1.1.0"] {
        try await home.installed(home.sceneRelease(version, model: model))
      }
    }
    _ = try Folder(creating: "\(home.folder)/outside", mode: 0o755)
    _ = try home.write([7], to: "outside/canary")
    guard case .good(let record) = try StoreSnapshot(of: home.store).models["acme+tiny"]?.record
    else { throw SupportError.programFailed("sealift", message: "nothing is active") }
    var shell = try #require(Tool.installed("sh"))
    shell.folder = home.oracle().folder
    shell.environment["active"] = record.active
    shell.environment["previous"] = record.previous
    shell.environment["outside"] = "\(home.folder)/outside"
    let outcome = try await shell.run(["-ec", harm.script])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    try FileManager.default.removeItem(atPath: "\(home.oracle("acme/other").folder)/current")
    return home
  }

  private func steps(_ outcome: ToolOutcome) throws -> [JSONValue?] {
    try outcome.events().filter { ["step", "reconciled"].contains($0["event"]) }.map { $0["step"] }
  }

  @Test(arguments: harms)
  func `a look and a repair agree, and harm in one model stops no other`(harm: Harm) async throws {
    let home = try await prepared(harm)
    let other = home.oracle("acme/other")
    let canary = try DiskTree(at: "\(home.folder)/outside").entries["canary"]

    for command in [["status"], ["list"], ["gc", "--dry-run", "--explain"]] {
      let outcome = try await home.run(command)
      #expect(outcome.output.contains("acme/other"), "\(command): \(outcome.errors)")
      #expect([0, 8].contains(outcome.exitCode), "\(command): \(outcome.errors)")
      if outcome.exitCode == 8 { expectPlace(outcome, home) }
    }
    let look = try await home.run(["doctor", "--json"])
    #expect([8, 10].contains(look.exitCode), "\(look.errors)")
    #expect(try steps(look).contains("pointLink"), "what is to be done for the other")

    let repair = try await home.run(["doctor", "--fix", "--json"])
    #expect(repair.exitCode == harm.code, "\(repair.output)\(repair.errors)")
    #expect(other.names(in: "").contains("current"))
    if harm.code == 0 { #expect(try steps(repair).count > 1 || !harm.isRepaired) }

    for command in [["doctor", "--json"], ["doctor", "--fix", "--json"]] {
      let again = try await home.run(command)
      #expect(again.exitCode == harm.code, "\(command): \(again.output)\(again.errors)")
      if harm.code != 10 { #expect(try steps(again) == [], "\(command)") }
      if harm.code == 8 { expectPlace(again, home) }
    }
    #expect(try DiskTree(at: "\(home.folder)/outside").entries["canary"] == canary)
    guard harm.code == 0 else { return }
    #expect(try home.oracle().active()?.version == "1.1.0")
    #expect(try await home.run(try home.installing("1.1.0")).ending == .exited(0))
    let found = try await home.violations(StoreExpectation(active: ["1.1.0"], isFinished: true))
    #expect(found.isEmpty)
  }

  /// The error names a place in the store, and says what to do.
  private func expectPlace(_ outcome: ToolOutcome, _ home: ConsumerHome) {
    let places = ["\(home.store)/models/", "active.json in the folder", "pins.json in the folder"]
    #expect(places.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
    #expect(outcome.errors.contains("  help: ") || outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func `a version that is not active and marked bad is nothing to do`() async throws {
    let home = try await prepared(Harm(script: ":", code: 0))
    #expect(try await home.run(["doctor", "--fix"]).ending == .exited(0))
    #expect(try await home.run(["mark", "bad", "acme/tiny@1.0.0"]).ending == .exited(0))
    for command in [["doctor"], ["doctor", "--fix"]] {
      let outcome = try await home.run(command)
      #expect(outcome.ending == .exited(0), "\(outcome.output)")
      #expect(outcome.errors == "nothing to do\n")
    }
  }

  @Test func `a store that others can write is told by a look as by a repair`() async throws {
    let home = try await prepared(Harm(script: "chmod 777 ../..", code: 8))
    for command in [["doctor"], ["doctor", "--fix"]] {
      let outcome = try await home.run(command)
      #expect(outcome.exitCode == 8)
      #expect(outcome.errors.contains("error: \(home.store) is not yours alone\n"))
    }
  }

  @Test func `what is no store, and a group that is not there, are told by looking already`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    _ = try home.write([], to: "store")
    try await home.run(["status"]).expectRefusal(
      8,
      "\(home.store) is not a store of this version of sealift",
      help: "choose another folder with --store"
    )
    #expect(try await home.run(["status", "--shared", "no-such-group"]).exitCode == 2)
  }
}
