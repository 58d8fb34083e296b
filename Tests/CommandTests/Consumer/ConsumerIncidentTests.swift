import CommandLineKit
import ConsumerCommands
import Digests
import Foundation
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import TestSupport
import Testing

/// How signed updates of other systems were subverted, tried on this client: what counts as evidence.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerIncidentTests {
  private let release = ConsumerRelease(files: ["weights.bin": .random(9000)])

  private func envelope(
    _ payload: [UInt8],
    type: String = "application/vnd.in-toto+json",
    _ signatures: [(name: String, bytes: [UInt8])],
    more: JSONObject = [:]
  ) -> [UInt8] {
    var members: JSONObject = [
      "payload": .string(Base64.encode(payload)), "payloadType": .string(type),
      "signatures": .array(
        signatures.map { ["keyid": .string($0.name), "sig": .string(Base64.encode($0.bytes))] }
      ),
    ]
    for member in more.members { members[member.name] = member.value }
    return JSONWriter.compact(.object(members))
  }

  // The signed bytes alone are evidence.

  @Test func `every file of another signed release is refused in place of the right one`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    var other = release
    other.files = ["weights.bin": .random(9000, seed: 2)]
    other.version = "2.0.0"
    _ = try home.publish(other)
    let outcome = try await home.run([
      "install", try home.publish(release), "--mirror", try home.fileMirror(other),
    ])
    #expect(outcome.ending == .exited(5), "\(outcome.errors)")
    #expect(try home.oracle().active() == nil && home.oracle().versions.isEmpty)
  }

  @Test func `a signature of another manifest of the same key counts for nothing`() async throws {
    let home = try await ConsumerHome.trusting()
    var other = release
    other.version = "2.0.0"
    let good = try other.simulated().envelope(signedBy: [home.signer])
    let payload = try release.simulated().envelope(signedBy: []).payload
    let names = good.signatures.map { ($0.keyID, $0.bytes) }
    let forged = try home.write(envelope(payload, names), to: "forged.json")
    try await home.run(["install", forged]).expectRefusal(
      6,
      "no signature of a trusted key matches the manifest",
      note: "it names release \(home.signer.fingerprint), which did not sign these bytes"
    )
  }

  @Test func `the order of signatures gives no authority`() async throws {
    let home = try ConsumerHome()
    let (second, gone) = (try home.signer(named: "second"), try home.signer(named: "gone"))
    let stranger = try SimulatedSigner("stranger")
    let keys = [home.signer, second, gone].map(home.keyFile(of:))
    _ = try await home.run(["trust", "add"] + keys + ["--models", "acme/*", "--threshold", "2"])
    _ = try await home.run(["trust", "withdraw", "\(gone.fingerprint)", "--reason", "lost"])
    var outputs: Set<String> = []
    for signers in [
      [stranger, gone, home.signer, second], [second, home.signer, gone, stranger],
      [gone, second, stranger, home.signer],
    ] {
      let manifest = try home.publish(release, as: "m.json", signedBy: signers)
      let outcome = try await home.run(["trust", "check", manifest])
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      outputs.insert(outcome.output)
    }
    #expect(outputs.count == 1)
  }

  @Test func `a valid signature does not end the check before the rest of the envelope`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let signed = try release.simulated().envelope(signedBy: [home.signer])
    let good = signed.signatures[0]
    let text = String(
      decoding: envelope(signed.payload, [(good.keyID, good.bytes), ("x", good.bytes)]),
      as: UTF8.self
    )
    let last = try #require(text.range(of: Base64.encode(good.bytes), options: .backwards))
    for junk in ["!", "AA", "", Base64.encode(Array(good.bytes.dropLast())) + "="] {
      var broken = text
      broken.replaceSubrange(last, with: junk)
      let path = try home.write(Array(broken.utf8), to: "broken.json")
      let outcome = try await home.run(["trust", "check", path])
      // An empty signature is base64 of nothing: it decodes, and counts for nothing.
      #expect(outcome.ending == .exited(junk.isEmpty ? 0 : 6), "\(junk): \(outcome.errors)")
    }
  }

  @Test func `what an envelope says outside of the payload changes nothing`() async throws {
    let home = try await ConsumerHome.trusting()
    let signed = try release.simulated().envelope(signedBy: [home.signer])
    let names = signed.signatures.map { ($0.keyID, $0.bytes) }
    let more: JSONObject = [
      "model": "acme/other", "version": "9.9.9", "threshold": 0, "trusted": true,
      "predicate": ["model": "acme/other"], "mirrors": ["https://evil.example/{name}"],
    ]
    let path = try home.write(envelope(signed.payload, names, more: more), to: "more.json")
    let outcome = try await home.run([
      "install", path, "--mirror", try home.fileMirror(release),
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(try home.oracle().active()?.version == "1.0.0")
  }

  @Test(arguments: [nil, "", "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8", "../key"])
  func `a key counts whatever a signature calls itself`(name: String?) async throws {
    let home = try await ConsumerHome.trusting()
    let signed = try release.simulated().envelope(signedBy: [home.signer])
    let bytes = envelope(signed.payload, [(name ?? "NONE", signed.signatures[0].bytes)])
    let text = String(decoding: bytes, as: UTF8.self)
    let whole = name == nil ? text.replacing("\"keyid\":\"NONE\",", with: "") : text
    #expect(name != nil || whole != text)
    let path = try home.write(Array(whole.utf8), to: "named.json")
    #expect(try await home.run(["trust", "check", path]).ending == .exited(0))
  }

  @Test
  func `another type of payload under a good signature is unusable, one of other bytes refused`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let payload = try release.simulated().envelope(signedBy: []).payload
    let signed = try Envelope(payloadType: "text/plain", payload: payload).signed(by: [home.signer])
    let path = try home.write(signed.encode(), to: "typed.json")
    #expect(try await home.run(["install", path]).ending == .exited(9))
    let names = signed.signatures.map { ($0.keyID, $0.bytes) }
    let retyped = try home.write(envelope(payload, names), to: "retyped.json")
    #expect(try await home.run(["install", retyped]).ending == .exited(6))
    let spaced = try release.simulated().envelope(signedBy: [home.signer])
    let respelled = try home.write(
      envelope(spaced.payload + [0x20], spaced.signatures.map { ($0.keyID, $0.bytes) }),
      to: "spaced.json"
    )
    #expect(try await home.run(["install", respelled]).ending == .exited(6))
  }

  // Names are no evidence.

  @Test func `names of keys, files and models give no trust`() async throws {
    let home = try await ConsumerHome.trusting()
    let thief = try SimulatedSigner("thief")
    // The same name, the same file, and the comment of the trusted key.
    let file = try home.write(
      Array(thief.publicKey.pem(name: "release").utf8),
      to: "thief-release.pub"
    )
    let name = "release \(home.signer.fingerprint).json"
    let manifest = try home.publish(release, as: name, signedBy: [thief])
    #expect(try await home.run(["install", manifest]).ending == .exited(6))
    let added = try await home.run([
      "trust", "add", file, "--models", "other/*", "--name", "release",
    ])
    #expect(added.ending == .exited(0))
    try await home.run(["install", manifest]).expectRefusal(
      6,
      "0 of 1 key signed this manifest, 1 needed",
      note: "release \(thief.fingerprint) signed too, but may not sign this model"
    )
  }

  // Nothing turns checks off.

  @Test func `no option of install accepts an unsigned manifest or a wrong byte`() async throws {
    let home = try await ConsumerHome.trusting()
    let install = try #require(ConsumerTool.table.commands.first { $0.typedName == "install" })
    let flags = install.help.options.filter { $0.value == nil }.map(\.name)
    let permissive = flags.filter { $0.hasPrefix("--allow") || $0.hasPrefix("--accept") }
    #expect(!permissive.isEmpty)
    let forbidden = ["insecure", "no-verify", "no-check", "skip", "force", "ignore", "unsigned"]
    // An audit only tells: what it passes over is in its report, and its key is one that signs reports.
    let acting = ConsumerTool.table.commands.filter { $0.typedName != "audit" }
    let names = acting.flatMap { $0.help.options.map(\.name) }
    #expect(names.filter { name in forbidden.contains { name.contains($0) } }.isEmpty)
    let unsigned = try home.publish(release, as: "unsigned.json", signedBy: [])
    let mirror = try home.fileMirror(release)
    let outcome = try await home.run(["install", unsigned, "--mirror", mirror] + permissive)
    #expect(outcome.ending == .exited(6), "\(outcome.errors)")
    let server = try FaultyMirror(
      files: ["weights.bin": release.files["weights.bin"]?.bytes ?? []],
      .flip(at: 5)
    )
    let wrong = try await home.run(
      ["install", try home.publish(release), "--mirror", "\(server.url)/{name}"] + permissive
    )
    #expect(wrong.ending == .exited(5), "\(wrong.errors)")
    #expect(try home.oracle().active() == nil)
    #expect(!server.requests.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a policy that cannot be read refuses, and is not taken for an empty one`(isPipe: Bool)
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let policy = "\(home.configuration)/trust.json"
    try FileManager.default.removeItem(atPath: policy)
    if isPipe {
      try makePipe(at: policy)
    } else {
      try FileManager.default.createDirectory(atPath: policy, withIntermediateDirectories: false)
    }
    for command in [
      ["install", try home.publish(release)], ["trust", "list"],
      ["trust", "add", home.keyFile, "--models", "x"],
    ] {
      let outcome = try await home.run(command)
      #expect(outcome.ending == .exited(8), "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains(policy), "\(outcome.errors)")
    }
  }

  @Test func `a key of small order is not added`() async throws {
    let home = try ConsumerHome()
    let zero = "ed25519:\(Base64.encode([UInt8](repeating: 0, count: 32)))"
    let outcome = try await home.run(["trust", "add", zero, "--models", "*"])
    #expect(outcome.ending == .exited(2), "\(outcome.errors)")
    #expect(outcome.errors.contains("error: \(zero): "), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(home.configuration)/trust.json"))
  }

  // What servers say.

  @Test func `a manifest is fetched once, and what was judged is what is installed`() async throws {
    let home = try await ConsumerHome.trusting()
    let bytes = release.files["weights.bin"]?.bytes ?? []
    let server = try FaultyMirror(files: [
      "m.json": try release.envelope(signedBy: [home.signer]), "weights.bin": bytes,
    ])
    let outcome = try await home.run([
      "install", server.url("m.json"), "--mirror", "\(server.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    #expect(server.requests(for: "/m.json").count == 1)
    let active = try #require(try home.oracle().active())
    let kept = FileManager.default.contents(atPath: "\(active.path)/../manifest.json")
    #expect(try kept.map { Array($0) } == release.envelope(signedBy: [home.signer]))
  }

  @Test(arguments: [
    "attachment; filename=\"../../evil.bin\"", "attachment; filename*=UTF-8''%2e%2e%2fevil.bin",
    "inline; filename=/etc/evil",
  ])
  func `the name that a server gives a file is not asked for`(field: String) async throws {
    let home = try await ConsumerHome.trusting()
    let server = try FaultyMirror(
      files: ["weights.bin": release.files["weights.bin"]?.bytes ?? []],
      .field(name: "Content-Disposition", value: field)
    )
    let outcome = try await home.run([
      "install", try home.publish(release), "--mirror", "\(server.url)/{name}",
    ])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: home.folder)
    #expect(!paths.contains { $0.contains("evil") })
    #expect(try home.oracle().active() != nil)
    #expect(!server.requests.isEmpty)
  }

  // What is printed.

  @Test func `no command about trust prints raw what a manifest, a key or a person wrote`()
    async throws
  {
    let home = try await ConsumerHome.trusting()
    let nasty = "x\u{1B}[2J\u{202e}\u{9b}1m"
    _ = try await home.run(["trust", "add", home.keyFile, "--models", "acme/*", "--name", nasty])
    let signed = try release.simulated().envelope(signedBy: [home.signer])
    let manifest = try home.write(
      envelope(signed.payload, [(nasty, [1, 2]), ("", signed.signatures[0].bytes)]),
      to: "nasty.json"
    )
    let key = "\(home.signer.fingerprint)"
    for command in [
      ["trust", "check", manifest], ["trust", "withdraw", key, "--reason", nasty],
      ["trust", "check", manifest], ["trust", "list"], ["trust", "show", "acme/*"],
      ["trust", "show", key], ["install", manifest], ["trust", "withdraw", key, "--undo"],
      ["trust", "withdraw", nasty, "--reason", "x"], ["trust", "remove", key],
    ] {
      for form in command.contains("--undo") || command.contains("remove")
        ? [[]] : [[], ["--json"]]
      {
        let outcome = try await home.run(command + form)
        let hidden = (outcome.output + outcome.errors).unicodeScalars.filter {
          ($0.value < 0x20 && $0 != "\n") || (0x7f...0x9f).contains($0.value) || $0 == "\u{202e}"
        }
        #expect(hidden.isEmpty, "\(command): \((outcome.output + outcome.errors).debugDescription)")
      }
    }
  }
}
