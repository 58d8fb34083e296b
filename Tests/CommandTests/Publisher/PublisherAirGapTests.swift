import Foundation
import Manifests
import Signatures
import TestSupport
import Testing

/// Two signers of three, on machines that no network joins: all that passes between them is a file.
@Suite(.temporaryFolder)
struct PublisherAirGapTests {
  private func openssl(_ arguments: String...) async throws {
    try await run(environment: [:], "openssl", arguments)
  }

  /// Signs a file with a key of openssl, as on a machine that has nothing else.
  private func signByOpenSSL(_ file: String, key: String, to output: String) async throws {
    try await openssl(
      "pkeyutl",
      "-sign",
      "-inkey",
      key,
      "-rawin",
      "-in",
      file,
      "-out",
      output
    )
  }

  @Test func `two of three sign apart, one with openssl alone, and a client wants both`()
    async throws
  {
    // Here: the manifest, and the first key. There: a folder with a key that only openssl knows, and one with a copy of
    // this tool. Nothing but single files goes from one to the other.
    try await makeKey("here")
    try await buildManifest()
    try await openssl("genpkey", "-algorithm", "ed25519", "-out", "there.pem")
    try await openssl("pkey", "-in", "there.pem", "-pubout", "-out", "there.pub")
    try await makeKey("elsewhere")
    let unsigned = try contents("m.json")
    let emitted = try await publish("sign", "m.json", "--emit-payload")
    #expect(emitted.exitCode == 0)
    #expect(emitted.standardOutput == (try manifest().signedBytes))
    #expect(emitted.errors.hasPrefix("what is to be signed of m.json\nmodel:    acme/tiny\n"))
    let pae = try await publish("sign", "m.json", "--emit-payload", "--output", "pae.bin")
    #expect(pae.output == "pae.bin\n")
    #expect(try contents("pae.bin") == emitted.standardOutput)
    try await signByOpenSSL("pae.bin", key: "there.pem", to: "s.bin")
    let attached = try await publish("sign", "m.json", "--attach", "s.bin", "--pub", "there.pub")
    #expect(attached.exitCode == 0, "\(attached.errors)")
    // The second signer has the manifest as it was built.
    try place(unsigned, at: "copy.json")
    #expect(
      try await publish("sign", "copy.json", "--key", "keys/elsewhere.key").exitCode == 0
    )
    let keys = ["--key", "there.pub", "--key", "keys/elsewhere.pub", "--key", "keys/here.pub"]
    let one = try await publish(["verify", "m.json", "--threshold", "2"] + keys)
    #expect(one.exitCode == 6)
    #expect(one.errors.hasPrefix("error: 1 of 3 keys signed this manifest, 2 needed\n"))
    let merged = try await publish(
      ["signatures", "merge", "m.json", "copy.json", "--output", "release.json"] + keys
    )
    #expect(merged.exitCode == 0, "\(merged.errors)")
    let two = try await publish(["verify", "release.json", "--threshold", "2"] + keys)
    #expect(two.output.contains("accepted acme/tiny 1.0.0: 2 of 3 keys signed, 2 needed\n"))
    try await requireClientWantsBoth()
  }

  /// Installs from a local mirror with a policy of two signers of three.
  private func requireClientWantsBoth() async throws {
    let home = try ConsumerHome()
    let folder = TemporaryFolder.current
    let keys = ["there.pub", "keys/elsewhere.pub", "keys/here.pub"].map { "\(folder)/\($0)" }
    let trusted = try await home.run(
      ["trust", "add"] + keys + ["--models", "acme/*", "--threshold", "2"]
    )
    #expect(trusted.exitCode == 0, "\(trusted.errors)")
    _ = try await home.run(["runtime", "set", "llama.cpp=b9999"])
    try place(SampleModel.gguf(), at: "mirror/model.gguf")
    let mirror = ["--mirror", "file://\(folder)/mirror/{name}"]
    let refused = try await home.run(["install", "\(folder)/m.json"] + mirror)
    #expect(refused.exitCode == 6)
    #expect(refused.errors.contains("1 of 3 keys signed this manifest, 2 needed"))
    let installed = try await home.run(["install", "\(folder)/release.json"] + mirror)
    #expect(installed.exitCode == 0, "\(installed.errors)")
    #expect(installed.output.hasSuffix("/files\n"))
    let status = try await home.run(["status", "acme/tiny"])
    #expect(status.output.hasPrefix("acme/tiny: active 1.0.0\n"))
  }

  @Test func `minisign signs the same bytes with its older method, and not with its other`()
    async throws
  {
    try await buildManifest()
    _ = try await publish("sign", "m.json", "--emit-payload", "--output", "pae.bin")
    try await run("minisign", "-G", "-W", "-p", "mini.pub", "-s", "mini.key")
    let lines = String(decoding: try contents("mini.pub"), as: UTF8.self).split(separator: "\n")
    let bytes = try #require(Base64.decode(String(lines[1])))
    let key = try PublicKey(bytes: bytes.dropFirst(10)).shortForm
    let attach = ["sign", "m.json", "--attach", "pae.bin.minisig", "--pub", key]
    try await run("minisign", "-S", "-s", "mini.key", "-m", "pae.bin")
    let hashed = try await publish(attach)
    #expect(hashed.exitCode == 6)
    #expect(
      hashed.errors.hasPrefix(
        """
        error: --attach pae.bin.minisig: that is no signature: minisign signed a hash of the bytes
          help: minisign -S -l signs the bytes themselves

        """
      )
    )
    try await run("minisign", "-S", "-l", "-s", "mini.key", "-m", "pae.bin")
    #expect(try await publish(attach).exitCode == 0)
    #expect(try await publish("verify", "m.json", "--key", key).exitCode == 0)
  }

  @Test func `signify signs the bytes, too`() async throws {
    try await buildManifest()
    _ = try await publish("sign", "m.json", "--emit-payload", "--output", "pae.bin")
    try await run("signify-openbsd", "-G", "-n", "-p", "their.pub", "-s", "their.sec")
    try await run("signify-openbsd", "-S", "-s", "their.sec", "-m", "pae.bin", "-x", "pae.sig")
    let lines = String(decoding: try contents("their.pub"), as: UTF8.self).split(separator: "\n")
    let bytes = try #require(Base64.decode(String(lines[1])))
    let key = try PublicKey(bytes: bytes.dropFirst(10)).shortForm
    let attached = try await publish("sign", "m.json", "--attach", "pae.sig", "--pub", key)
    #expect(attached.exitCode == 0, "\(attached.errors)")
    #expect(try await publish("verify", "m.json", "--key", key).exitCode == 0)
  }

  @Test func `a signature is verified before it is attached`() async throws {
    try await makeKey()
    try await buildManifest()
    _ = try await publish("sign", "m.json", "--emit-payload", "--output", "pae.bin")
    try await openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem")
    try await openssl("pkey", "-in", "key.pem", "-pubout", "-out", "key.pub")
    try await signByOpenSSL("pae.bin", key: "key.pem", to: "s.bin")
    try place(try contents("pae.bin") + [0], at: "other.bin")
    try await signByOpenSSL("other.bin", key: "key.pem", to: "other.sig")
    try place([UInt8](repeating: 0, count: 64), at: "zero.sig")
    try place(Array(try contents("s.bin").dropLast()), at: "short.sig")
    let before = try contents("m.json")
    for (file, key, code) in [
      ("s.bin", "keys/release.pub", 6), ("other.sig", "key.pub", 6), ("zero.sig", "key.pub", 6),
      ("short.sig", "key.pub", 6), ("absent.sig", "key.pub", 3), ("s.bin", "absent.pub", 3),
      ("s.bin", "key.pem", 2),
    ] {
      let outcome = try await publish("sign", "m.json", "--attach", file, "--pub", key)
      #expect(outcome.exitCode == code, "\(file) \(key): \(outcome.errors)")
      #expect(try contents("m.json") == before)
    }
    let attach = ["sign", "m.json", "--attach", "s.bin", "--pub", "key.pub"]
    let done = try await publish(attach)
    #expect(done.output == "signed by \(try PublicKey(file: TemporaryFolder.path("key.pub")))\n")
    let again = try await publish(attach)
    #expect(again.exitCode == 2)
    #expect(again.errors.contains("has already signed this manifest"))
  }

  @Test func `the bytes to sign never take the place of the manifest`() async throws {
    try await buildManifest()
    let before = try contents("m.json")
    let same = try await publish("sign", "m.json", "--emit-payload", "--output", "./m.json")
    #expect(same.exitCode == 2)
    #expect(same.errors.contains("./m.json is the manifest itself, and is not overwritten"))
    #expect(try contents("m.json") == before)
  }

  @Test func `the bytes to sign take the place of nothing`() async throws {
    try await makeKey()
    try await buildManifest()
    let emit = ["sign", "m.json", "--emit-payload", "--output"]
    let folder = TemporaryFolder.current
    let key = try contents("keys/release.key")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link",
      withDestinationPath: "nowhere"
    )
    for path in ["keys/release.key", "link", "keys"] {
      let refused = try await publish(emit + [path])
      #expect(refused.exitCode == 2)
      #expect(
        refused.errors.contains("error: \(path) exists with other contents; nothing was written\n"),
        "\(refused.errors)"
      )
    }
    #expect(try contents("keys/release.key") == key)
    let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/keys/release.key")
    #expect(facts[.posixPermissions] as? Int == 0o600)
    #expect(!isThere("nowhere"))
    // The same bytes are there already.
    for _ in 1...2 { #expect(try await publish(emit + ["pae.bin"]).exitCode == 0) }
    #expect(try contents("pae.bin") == (try manifest().signedBytes))
  }

  @Test func `of what is no manifest there is nothing to sign`() async throws {
    try place(Envelope(payload: Array("{}".utf8)).encode(), at: "x.json")
    let none = try await publish("sign", "x.json", "--emit-payload")
    #expect(none.exitCode == 9)
    #expect(none.output.isEmpty)
  }
}
