import Foundation
import Manifests
import Signatures
import TestSupport
import Testing

/// Signing by a program that somebody names: a token, a service, or a liar.
@Suite(.temporaryFolder)
struct PublisherSignerCommandTests {
  private func makeOpenSSLKey(_ name: String = "key") async throws {
    try await run("openssl", "genpkey", "-algorithm", "ed25519", "-out", "\(name).pem")
    try await run("openssl", "pkey", "-in", "\(name).pem", "-pubout", "-out", "\(name).pub")
  }

  private func sign(
    _ signer: String,
    key: String = "key.pub",
    _ options: String...
  ) async throws -> ToolOutcome {
    try await publish(["sign", "m.json", "--signer", signer, "--pub", key] + options)
  }

  private static let openssl = "openssl pkeyutl -sign -inkey key.pem -rawin -in"

  @Test(arguments: [
    "\(openssl) /dev/stdin", "./spool", "./spool | base64", "./spool | od -An -v -tx1",
    "./spool | openssl base64",
  ])
  func `openssl signs, in a wrapper or by itself, and may print text`(words: String) async throws {
    try await makeOpenSSLKey()
    try placeScript("cat > pae.bin && exec \(Self.openssl) pae.bin", at: "spool")
    try placeScript(words, at: "sign")
    try await buildManifest()
    let signer = words.contains("|") ? "./sign" : words
    let outcome = try await sign(signer)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let verified = try await publish("verify", "m.json", "--key", "key.pub")
    #expect(verified.exitCode == 0)
    #expect(verified.output.hasPrefix(outcome.output.trimmingCharacters(in: .newlines)))
  }

  @Test func `a key in a token of PKCS 11 signs by pkcs11-tool`() async throws {
    let token = try await SoftToken()
    try await token.run(["--keypairgen", "--key-type", "EC:edwards25519", "--id", "01"])
    try await token.run(["--read-object", "--type", "pubkey", "--id", "01", "-o", "hsm.pub"])
    try await buildManifest()
    let outcome = try await publish(
      ["sign", "m.json", "--signer", token.signer(id: "01"), "--pub", "hsm.pub"],
      environment: token.environment
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("\nsigner: Using signature algorithm EDDSA\n"))
    // The file of the public key is SPKI, which openssl reads, too.
    try place(try manifest().signedBytes, at: "pae.bin")
    try place(try #require(try manifest().signatures.first).bytes, at: "s.bin")
    try await run(
      "openssl",
      "pkeyutl",
      "-verify",
      "-pubin",
      "-inkey",
      "hsm.pub",
      "-rawin",
      "-in",
      "pae.bin",
      "-sigfile",
      "s.bin"
    )
    #expect(try await publish("verify", "m.json", "--key", "hsm.pub").exitCode == 0)
  }

  @Test(arguments: [
    ("head -c 64 /dev/zero", 6, "the signer's result is no signature by SHA256:"),
    ("head -c 63 /dev/zero", 8, "printed no signature: 63 bytes of another form"),
    ("true", 8, "printed no signature: there is nothing in it"),
    ("cat /dev/zero", 8, "printed more than 4096 bytes, and was ended"),
    ("sh -c 'exit 3'", 8, "the signer sh ended with exit code 3"),
    ("sh -c 'kill -9 $$'", 8, "the signer sh was killed by signal 9"),
    ("no-such-program-anywhere -x", 3, "there is no program no-such-program-anywhere"),
    ("./no-such-program", 3, "there is no program ./no-such-program"),
    ("./m.json", 8, "./m.json cannot be started: Permission denied"),
    ("./wrong", 6, "the signer's result is no signature by SHA256:"),
    ("./right-but-7", 8, "the signer ./right-but-7 ended with exit code 7"),
    ("cat | sh", 2, "the signer is no command: | means something to a shell only"),
    ("~/sign", 2, "the signer is no command: ~ means something to a shell only"),
    ("PIN=1 sh", 2, "the signer is no command: PIN= before the program sets a variable"),
    ("'sh", 2, "the signer is no command: the quote ' is not closed"),
  ])
  func `a signer that does not sign is told, and nothing is written`(
    signer: String,
    code: Int,
    message: String
  ) async throws {
    try await makeOpenSSLKey()
    try await makeOpenSSLKey("other")
    let other = "openssl pkeyutl -sign -inkey other.pem -rawin -in /dev/stdin"
    try placeScript("exec \(other)", at: "wrong")
    try placeScript("\(Self.openssl) /dev/stdin; exit 7", at: "right-but-7")
    try await buildManifest()
    let before = try contents("m.json")
    let outcome = try await sign(signer)
    #expect(outcome.exitCode == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try contents("m.json") == before)
  }

  @Test func `what a signer says is shown, but cannot move the cursor, in a quiet run too`()
    async throws
  {
    try await makeOpenSSLKey()
    let say = #"printf 'a\033[2Jb\rc\n\302\233x' >&2"#
    try placeScript("\(say); exec \(Self.openssl) /dev/stdin", at: "sign")
    try await buildManifest()
    let outcome = try await sign("./sign", key: "key.pub", "--quiet")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors == "signer: a\\u{1b}[2Jb\\u{d}c\nsigner: \\u{9b}x\n")
  }

  @Test func `it gets the bytes that DSSE signs, and nothing else`() async throws {
    try await makeOpenSSLKey()
    try await buildManifest()
    _ = try await sign("cp /dev/stdin seen.bin")
    let payload = try manifest().payload
    let expected = Array("DSSEv1 28 application/vnd.in-toto+json \(payload.count) ".utf8) + payload
    #expect(try contents("seen.bin") == expected)
  }

  @Test(arguments: [("cat s.bin", 0, "signing"), ("sh -c 'exit 3'", 8, "ended with exit code 3")])
  func `how it ended is known where whoever started the tool ignores the end of children`(
    signer: String,
    code: Int,
    message: String
  ) async throws {
    try await makeOpenSSLKey()
    try await buildManifest()
    try place(try manifest().signedBytes, at: "pae.bin")
    try await run("sh", "-c", "\(Self.openssl) pae.bin > s.bin")
    let path = try Tool.built("sealift-publish").path
    // A plain sh may refuse to ignore this signal.
    var shell = try #require(Tool.installed("bash"))
    shell.folder = TemporaryFolder.current
    let outcome = try await shell.run([
      "-c", #"trap '' CHLD; exec "$@""#, "bash", path, "sign", "m.json", "--signer", signer,
      "--pub",
      "key.pub",
    ])
    #expect(outcome.exitCode == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `it has the time it needs, and a signal ends the wait`() async throws {
    try await makeOpenSSLKey()
    try placeScript("touch started; exec sleep 600", at: "slow")
    try await buildManifest()
    let before = try contents("m.json")
    let running = try startPublisher(["sign", "m.json", "--signer", "./slow", "--pub", "key.pub"])
    #expect(try await eventually { isThere("started") })
    running.interrupt()
    let outcome = await running.wait()
    #expect(outcome.exitCode == 130, "\(outcome.errors)")
    #expect(try contents("m.json") == before)
  }
}
