import Digests
import Manifests
import Signatures
import StrictJSON
import Testing

struct EnvelopeTests {
  static func signed() throws -> Envelope {
    let envelope = try Envelope(release: Samples.smallRelease())
    let signature = try Keys.sign(envelope.signedBytes, seed: Keys.firstSeed)
    return try envelope.adding(signature, by: Keys.first)
  }

  /// Writes an envelope with any signatures.
  private func json(_ envelope: Envelope, _ signatures: [JSONValue]) -> [UInt8] {
    JSONWriter.compact([
      "payload": .string(Base64.encode(envelope.payload)),
      "payloadType": .string(envelope.payloadType), "signatures": .array(signatures),
    ])
  }

  private func problem(_ text: String) -> DocumentProblem? {
    do { _ = try Envelope(parsing: Array(text.utf8)) } catch .envelope(let problem) {
      return problem
    } catch {}
    return nil
  }

  @Test func `a signed release comes back`() throws {
    let envelope = try Self.signed()
    let parsed = try Envelope(parsing: envelope.encode())
    #expect(parsed == envelope)
    #expect(parsed.signers(among: [Keys.first]) == [Keys.first])
    #expect(try parsed.release() == Samples.smallRelease())
    #expect(parsed.payloadDigest == SHA256Digest(of: try Samples.smallRelease().encode()))
  }

  @Test func `the file is the same for the same release and key`() throws {
    let envelope = try Self.signed()
    let text = String(decoding: envelope.encode(), as: UTF8.self)
    #expect(text == String(decoding: try Self.signed().encode(), as: UTF8.self))
    #expect(
      text == """
        {
          "payload": "\(Base64.encode(envelope.payload))",
          "payloadType": "application/vnd.in-toto+json",
          "signatures": [
            {
              "keyid": "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
              "sig": "\(Base64.encode(envelope.signatures[0].bytes))"
            }
          ]
        }

        """
    )
  }

  @Test(arguments: [
    ReleaseDetails(title: "a\u{0}b"), ReleaseDetails(critical: ["later"]),
    ReleaseDetails(provenance: (0..<40).reduce(JSONValue.integer(1)) { value, _ in [value] }),
    ReleaseDetails(provenance: ["é": 1, "e\u{301}": 2]),
  ])
  func `what no reader takes is not wrapped`(details: ReleaseDetails) throws {
    let release = try Release(
      model: ModelName("m"),
      version: Version("1.0.0"),
      released: Timestamp("2026-11-30T00:00:00Z"),
      files: [try Samples.file("a")],
      details: details
    )
    #expect(throws: ManifestError.self) { try Envelope(release: release) }
  }

  @Test func `a manifest of more than an envelope holds is not wrapped`() throws {
    let notes = String(repeating: "n", count: 13 << 20)
    let release = try Release(
      model: ModelName("m"),
      version: Version("1.0.0"),
      released: Timestamp("2026-11-30T00:00:00Z"),
      files: [try Samples.file("a")],
      details: ReleaseDetails(notes: notes)
    )
    #expect(throws: ManifestError.release(.manifestTooLarge(limit: 16 << 20))) {
      try Envelope(release: release)
    }
  }

  @Test func `an envelope that nobody signed has no signers`() throws {
    let envelope = try Envelope(parsing: Envelope(release: Samples.smallRelease()).encode())
    #expect(envelope.signatures.isEmpty)
    #expect(envelope.signers(among: [Keys.first]) == [])
  }

  @Test(arguments: [nil, "", "x", "SHA256:F34nin7tcaYH6WR5LSWSfj6weFBPfBpuyUUoPFP9YjA"])
  func `a key counts whatever the signature calls itself`(keyID: String?) throws {
    let envelope = try Self.signed()
    var entry: JSONObject = ["sig": .string(Base64.encode(envelope.signatures[0].bytes))]
    entry["keyid"] = keyID.map { .string($0) }
    let parsed = try Envelope(parsing: json(envelope, [.object(entry)]))
    #expect(parsed.signers(among: [Keys.first, Keys.second]) == [Keys.first])
  }

  @Test
  func
    `a signature under the name of a key that is not by it is found, and goes when the key signs`()
    throws
  {
    let envelope = try Self.signed()
    let good = envelope.signatures[0].bytes
    let other = try Keys.sign(envelope.signedBytes, seed: Keys.secondSeed)
    let name = JSONValue.string("\(Keys.first.fingerprint)")
    let forged = Array(good.reversed())
    let entries: [JSONValue] = [
      ["keyid": name, "sig": .string(Base64.encode(forged))],
      ["keyid": "x", "sig": .string(Base64.encode(other.bytes))],
    ]
    let parsed = try Envelope(parsing: json(envelope, entries))
    #expect(parsed.forgedSignatures(among: [Keys.first]).map(\.bytes) == [forged])
    #expect(parsed.forgedSignatures(among: [Keys.second]) == [])
    #expect(try Self.signed().forgedSignatures(among: [Keys.first]) == [])
    let signature = try Keys.sign(envelope.signedBytes, seed: Keys.firstSeed)
    let signed = try parsed.adding(signature, by: Keys.first)
    #expect(signed.signatures.map(\.bytes) == [other.bytes, good])
    #expect(signed.signers(among: [Keys.first, Keys.second]) == [Keys.first, Keys.second])
  }

  @Test func `one key counts once, under two names and listed twice`() throws {
    let envelope = try Self.signed()
    let sig = JSONValue.string(Base64.encode(envelope.signatures[0].bytes))
    let parsed = try Envelope(
      parsing: json(envelope, [["keyid": "a", "sig": sig], ["keyid": "b", "sig": sig]])
    )
    #expect(parsed.signers(among: [Keys.first, Keys.first]) == [Keys.first])
  }

  @Test func `signatures that do not verify are skipped`() throws {
    let envelope = try Self.signed()
    let good = envelope.signatures[0].bytes
    let name = JSONValue.string("\(Keys.first.fingerprint)")
    let bad = [[], Array(good.dropLast()), good + [0], Array(good.reversed())]
    let entries = (bad + [good]).map { bytes -> JSONValue in
      ["keyid": name, "sig": .string(Base64.encode(bytes))]
    }
    let parsed = try Envelope(parsing: json(envelope, entries))
    #expect(parsed.signers(among: [Keys.first]) == [Keys.first])
    let refused = try Envelope(parsing: json(envelope, Array(entries.dropLast())))
    #expect(refused.signers(among: [Keys.first]) == [])
  }

  @Test func `a signature with a number above the group order is refused`() throws {
    let envelope = try Self.signed()
    // The order of the group of Ed25519, little end first.
    let order: [UInt8] =
      [
        0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
        0x14,
      ] + [UInt8](repeating: 0, count: 15) + [0x10]
    var bytes = envelope.signatures[0].bytes
    var carry = 0
    for index in 0..<32 {
      let sum = Int(bytes[32 + index]) + Int(order[index]) + carry
      bytes[32 + index] = UInt8(sum & 0xFF)
      carry = sum >> 8
    }
    try #require(carry == 0)
    let parsed = try Envelope(
      parsing: json(envelope, [["sig": .string(Base64.encode(bytes))]])
    )
    #expect(parsed.signers(among: [Keys.first]) == [])
  }

  @Test func `another payload type has another signature`() throws {
    let envelope = try Self.signed()
    let text = String(decoding: envelope.encode(), as: UTF8.self)
    let changed = try Envelope(
      parsing: Array(text.replacing("in-toto+json", with: "in-toto+jsom").utf8)
    )
    #expect(changed.signers(among: [Keys.first]) == [])
    #expect(!changed.isStatement)
  }

  @Test func `a signed payload of another type is no manifest`() throws {
    let envelope = Envelope(
      payloadType: "application/x",
      payload: try Samples.smallRelease().encode()
    )
    let problem = DocumentProblem.unexpected(
      path: "payloadType",
      expected: "application/vnd.in-toto+json",
      found: "application/x"
    )
    #expect(throws: ManifestError.payload(problem)) { try envelope.release() }
  }

  @Test func `a payload in other JSON is another payload, and only then refused`() throws {
    let envelope = try Self.signed()
    let spaced = Envelope(payload: envelope.payload + [0x20])
    let sig = JSONValue.string(Base64.encode(envelope.signatures[0].bytes))
    let parsed = try Envelope(parsing: json(spaced, [["sig": sig]]))
    #expect(parsed.signers(among: [Keys.first]) == [])
    #expect(try parsed.release() == Samples.smallRelease())
  }

  @Test func `unknown members change nothing`() throws {
    let envelope = try Self.signed()
    let sig = JSONValue.string(Base64.encode(envelope.signatures[0].bytes))
    let text = String(decoding: json(envelope, [["sig": sig, "cert": ["x"]]]), as: UTF8.self)
    let parsed = try Envelope(parsing: Array("{\"later\":{\"a\":1},\(text.dropFirst())".utf8))
    #expect(parsed.signers(among: [Keys.first]) == [Keys.first])
  }

  @Test func `base64 may be of the URL-safe alphabet`() throws {
    let payload: [UInt8] = [0xFB, 0xEF, 0xFF, 0xFE]
    for text in ["++///g==", "--___g=="] {
      let json = "{\"payload\":\"\(text)\",\"payloadType\":\"t\",\"signatures\":[]}"
      #expect(try Envelope(parsing: Array(json.utf8)).payload == payload)
    }
  }

  @Test(arguments: [
    "+-8=", "aGl=", "aGk==", "aGk", "aG k=", "aGk=\\n", "!", "=", "aGk=aGk=", "ÄÄÄÄ",
  ])
  func `base64 of another form is refused`(text: String) {
    let payload = "{\"payload\":\"\(text)\",\"payloadType\":\"t\",\"signatures\":[]}"
    #expect(problem(payload) == .notBase64(path: "payload"))
    let sig = "{\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\(text)\"}]}"
    #expect(problem(sig) == .notBase64(path: "signatures[0].sig"))
  }

  @Test(arguments: [
    ("{\"payloadType\":\"t\",\"signatures\":[]}", "payload"),
    ("{\"payload\":\"\",\"signatures\":[]}", "payloadType"),
    ("{\"payload\":\"\",\"payloadType\":\"t\"}", "signatures"),
    (
      "{\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[{\"keyid\":\"\"}]}",
      "signatures[0].sig"
    ),
  ])
  func `a missing member is named`(text: String, path: String) {
    #expect(problem(text) == .shape(JSONShapeError(path: path, problem: .missing)))
  }

  @Test(arguments: [
    "", "[]x", "{", "{\"payload\":\"\",\"payload\":\"\"}", "\u{FEFF}{}", "{\"a\":1.5}",
    "{\"a\":1,}",
    String(repeating: "[", count: 33),
  ])
  func `what is no strict JSON is no envelope`(text: String) {
    guard case .syntax = problem(text) else {
      Issue.record("\(text) was accepted")
      return
    }
  }

  @Test func `more than 16 MiB are not read`() {
    let bytes = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
    let error = JSONSyntaxError(offset: 16 << 20, problem: .tooLarge(limit: 16 << 20))
    #expect(throws: ManifestError.envelope(.syntax(error))) { try Envelope(parsing: bytes) }
  }

  @Test func `more than 64 signatures are refused`() throws {
    let entry: JSONValue = ["sig": ""]
    let envelope = Envelope(payload: [])
    #expect(
      try Envelope(parsing: json(envelope, Array(repeating: entry, count: 64))).signatures.count
        == 64
    )
    #expect(throws: ManifestError.envelope(.tooManySignatures(limit: 64, found: 65))) {
      try Envelope(parsing: json(envelope, Array(repeating: entry, count: 65)))
    }
  }
}

struct SigningTests {
  @Test func `a second key adds a second signature`() throws {
    let envelope = try EnvelopeTests.signed()
    let signature = try Keys.sign(envelope.signedBytes, seed: Keys.secondSeed)
    let both = try envelope.adding(signature, by: Keys.second)
    #expect(both.payload == envelope.payload)
    #expect(both.signatures.count == 2)
    #expect(both.signers(among: [Keys.second, Keys.first]) == [Keys.second, Keys.first])
  }

  @Test func `a key signs once`() throws {
    let envelope = try EnvelopeTests.signed()
    let signature = try Keys.sign(envelope.signedBytes, seed: Keys.firstSeed)
    #expect(throws: ManifestError.signing(.alreadySigned(Keys.first.fingerprint))) {
      try envelope.adding(signature, by: Keys.first)
    }
  }

  @Test func `a signature that does not verify is not added`() throws {
    let envelope = try EnvelopeTests.signed()
    let signature = try Keys.sign(envelope.signedBytes + [0], seed: Keys.secondSeed)
    #expect(throws: ManifestError.signing(.doesNotVerify(Keys.second.fingerprint))) {
      try envelope.adding(signature, by: Keys.second)
    }
  }

  @Test func `an envelope takes at most 64 signatures`() throws {
    let entry: JSONValue = ["sig": ""]
    let json = JSONWriter.compact([
      "payload": "", "payloadType": "t",
      "signatures": .array(Array(repeating: entry, count: 64)),
    ])
    let envelope = try Envelope(parsing: json)
    let signature = try Keys.sign(envelope.signedBytes, seed: Keys.firstSeed)
    #expect(throws: ManifestError.signing(.tooManySignatures(limit: 64))) {
      try envelope.adding(signature, by: Keys.first)
    }
  }
}
