import Auditing
import Foundation
import Glibc
import TestSupport
import Testing

/// Signed reports from the audit to `report verify`, and the units that make them every night.
@Suite(.temporaryFolder, .serialized, .timeLimit(.minutes(20)))
struct ConsumerAuditSigningTests {
  private func home() async throws -> ConsumerHome {
    var home = try await ConsumerHome.trusting()
    home.tool.folder = TemporaryFolder.current
    try await home.installed(ConsumerRelease(files: ["w.bin": .random(300_000)]))
    try await makeKey("auditor")
    return home
  }

  @Test func `reports of two nights are signed, chained and verified; a change of one is seen`()
    async throws
  {
    let home = try await home()
    let sign = ["audit", "--sign", "keys/auditor.key"]
    let first = try await home.run(sign + ["--output", "a.dsse"])
    #expect(first.exitCode == 0, "\(first.errors)")
    let second = try await home.run(sign + ["--previous", "a.dsse", "--output", "b.dsse"])
    #expect(second.exitCode == 0, "\(second.errors)")
    let verify = ["report", "verify", "a.dsse", "b.dsse", "--key", "keys/auditor.pub"]
    let verified = try await home.run(verify)
    #expect(verified.exitCode == 0, "\(verified.errors)")
    #expect(verified.output.contains("1 version, 0 findings: clean"))
    #expect(verified.output.hasSuffix("2 reports, each names the one before it\n"))
    #expect(try await publish(verify).output == verified.output)
    // A first report that was made again, as if nothing had come before.
    _ = try await home.run(sign + ["--output", "a.dsse"])
    let replaced = try await home.run(verify)
    #expect(replaced.exitCode == 6)
    #expect(replaced.errors.contains("b.dsse: the report does not follow the one before it"))
  }

  @Test func `who verifies the report of a part is told that it is one`() async throws {
    let home = try await home()
    let versions = "\(home.store)/models/acme+tiny/versions"
    let names = try FileManager.default.contentsOfDirectory(atPath: versions)
    let version = try #require(names.first { $0.hasPrefix("1.0.0-") })
    let place = "acme/tiny@\(version):0.0"
    let sign = ["audit", "--sign", "keys/auditor.key", "--output", "a.dsse", "--resume", place]
    #expect(try await home.run(sign).exitCode == 0)
    let verified = try await home.run(["report", "verify", "a.dsse", "--key", "keys/auditor.pub"])
    #expect(
      verified.output.contains("  a part alone: what stands before \(place) was not looked at")
    )
  }

  @Test func `a program may sign, and findings keep their exit code`() async throws {
    let home = try await home()
    try await home.harm(
      "chmod u+w $f/w.bin; dd if=/dev/zero of=$f/w.bin bs=100 count=1 conv=notrunc 2>/dev/null"
    )
    let openssl = try #require(Tool.installed("openssl"))
    let command = "\(openssl.path) pkeyutl -sign -inkey keys/auditor.key -rawin -in /dev/stdin"
    let outcome = try await home.run([
      "audit", "--signer", command, "--pub", "keys/auditor.pub", "--output", "a.dsse",
    ])
    #expect(outcome.exitCode == 10, "\(outcome.errors)")
    let verified = try await home.run(["report", "verify", "a.dsse", "--key", "keys/auditor.pub"])
    #expect(verified.exitCode == 0, "\(verified.errors)")
    #expect(!verified.output.contains("clean"), "\(verified.output)")
  }

  @Test func `what cannot be followed or signed is refused before anything is read`() async throws {
    let home = try await home()
    try place(Array("{}".utf8), at: "junk.dsse")
    let cases: [([String], Int, String)] = [
      (["--sign", "keys/auditor.key", "--previous", "junk.dsse"], 6, "is no signed report"),
      (
        ["--sign", "keys/auditor.key", "--previous", "none.dsse"], 3, "there is no report none.dsse"
      ),
      (["--previous", "a.dsse"], 2, "nobody is named to sign the report"),
      (["--sign", "none.key"], 3, "none.key"),
      (["--sign", "keys/auditor.key", "--pub", "none.pub"], 3, "none.pub"),
      (
        ["--sign", "keys/auditor.key", "--format", "html"], 2,
        "a signed report has a form of its own"
      ),
      (
        [
          "--sign", "keys/auditor.key", "--ssh-agent",
          "SHA256:6UDwLJW8WQWD+xkLIQy2TT9cbN4wiT9O2Jo+5OFOy+k",
        ], 2, "only one of"
      ),
    ]
    for (options, code, message) in cases {
      let outcome = try await home.run(["audit", "--output", "x.dsse", "nothing/here"] + options)
      #expect(outcome.exitCode == code, "\(options) \(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(!isThere("x.dsse"))
    }
  }

  @Test func `a report takes the place of earlier reports, and of nothing that is kept`()
    async throws
  {
    let home = try await home()
    let signing = ["--sign", "keys/auditor.key"]
    for format in [["--format", "json"], ["--format", "html"], signing, signing] {
      let outcome = try await home.run(["audit", "--output", "report"] + format)
      #expect([0, 10].contains(outcome.exitCode ?? -1), "\(format) \(outcome.errors)")
    }
    try FileManager.default.copyItem(
      atPath: TemporaryFolder.path("report"),
      toPath: TemporaryFolder.path("other")
    )
    let isMade = unsafe mkfifo(TemporaryFolder.path("pipe"), 0o600) == 0
    try #require(isMade)
    let key = try contents("keys/auditor.key")
    let cases: [([String], String)] = [
      (signing + ["--output", "keys/auditor.key"], "is a private key"),
      (["--output", "keys/auditor.pub"], "is a public key"),
      (["--output", "pipe"], "is no plain file"),
      (["--output", "keys"], "is no plain file"),
      (["--output", "\(home.store)/models/acme+tiny/active.json"], "is inside of what is audited"),
      (["--output", "\(home.store)/new/report"], "is inside of what is audited"),
      (signing + ["--previous", "report", "--output", "report"], "is the report that the new one"),
    ]
    for (options, message) in cases {
      let outcome = try await home.run(["audit"] + options)
      #expect(outcome.exitCode == 2, "\(options) \(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    #expect(try contents("keys/auditor.key") == key)
    #expect(try contents("report") == contents("other"))
  }

  @Test func `units run the same command line with absolute paths, and audit nothing`() async throws
  {
    let home = try await home()
    let outcome = try await home.run([
      "audit", "--sample", "10%", "--format=prometheus", "--output=out/sealift.prom",
      "--print-units",
    ])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let folder = TemporaryFolder.current
    let program = try Tool.built("sealift").path
    #expect(
      outcome.output.contains(
        "ExecStart=\"\(program)\" \"audit\" \"--store\" \"\(home.store)\" \"--config\" \"\(home.configuration)\" "
          + "\"--sample\" \"10%%\" \"--format=prometheus\" \"--output\" \"\(folder)/out/sealift.prom\"\n"
      ),
      "\(outcome.output)"
    )
    #expect(outcome.output.contains("\nReadWritePaths=\(folder)/out\n"))
    #expect(outcome.output.contains("\nReadOnlyPaths=-\(home.store) -\(home.configuration)\n"))
    #expect(!isThere("out"))
    let many = try await home.run(["audit", "--print-units", "--resume", "acme/tiny@1.0.0:0.1"])
    #expect(many.exitCode == 2)
    #expect(many.errors.contains("--resume is about one run"))
  }

  @Test(arguments: [
    ["--ssh-agent", "SHA256:6UDwLJW8WQWD+xkLIQy2TT9cbN4wiT9O2Jo+5OFOy+k"],
    ["--passphrase-fd=3", "--sign", "keys/auditor.key"],
    ["--sign", "keys/auditor.key", "--passphrase-env", "SECRET"],
  ])
  func `no units are made of what only a shell has`(options: [String]) async throws {
    let outcome = try await home().run(["audit", "--print-units", "--output", "a.dsse"] + options)
    #expect(outcome.exitCode == 2)
    let option = try #require(options.first { !$0.hasPrefix("--sign") && $0.hasPrefix("--") })
    let name = try #require(option.split(separator: "=").first)
    #expect(
      outcome.errors.contains(
        "\(name) needs what only a shell has, and --print-units makes a service"
      ),
      "\(outcome.errors)"
    )
    #expect(outcome.output == "")
  }

  @Test func `no units are made of a key with a passphrase that somebody would have to type`()
    async throws
  {
    let home = try await home()
    try place(Array("correct horse battery staple\n".utf8), at: "secret")
    let made = try await publish("key", "new", "guarded", "--passphrase-file", "secret")
    #expect(made.exitCode == 0, "\(made.errors)")
    let units = ["audit", "--print-units", "--output=a.dsse", "--sign", "keys/guarded.key"]
    let refused = try await home.run(units)
    #expect(refused.exitCode == 2)
    let key = "\(TemporaryFolder.current)/keys/guarded.key"
    #expect(refused.errors.contains("the key in \(key) has a passphrase"), "\(refused.errors)")
    let outcome = try await home.run(units + ["--passphrase-file", "secret"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
  }

  @Test func `the value of an option in units has every byte that was given`() async throws {
    // The sign and the mark on it are one character.
    let outcome = try await home().run(["audit", "--output=\u{301}x", "--print-units"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let path = "\"--output\" \"\(TemporaryFolder.current)/\u{301}x\"\n"
    #expect(Array(outcome.output.utf8).contains(Array(path.utf8)), "\(outcome.output)")
  }
}
