import Foundation
import Manifests
import Signatures
import StrictJSON
import TestSupport
import Testing

/// What went wrong with signed updates elsewhere, done to a manifest, and what `verify` answers.
///
/// Each refusal has an exit code of its own and says nothing on standard output; each acceptance is one by the key alone.
@Suite(.temporaryFolder)
struct PublisherIncidentTests {
  /// A change to a signed manifest, by its known name.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: Int
    let make: @Sendable (Parts) throws -> [UInt8]

    init(_ name: String, _ code: Int, _ make: @escaping @Sendable (Parts) throws -> [UInt8]) {
      (testDescription, self.code, self.make) = (name, code, make)
    }
  }

  /// The parts of a signed manifest, to be put together otherwise.
  struct Parts: Sendable {
    var payload: [UInt8]
    var type = Envelope.statementType
    /// The JSON of the signatures.
    var signatures: [String]
    let signature: [UInt8]
    let keyID: String

    var bytes: [UInt8] { Array(text().utf8) }

    func text(_ more: String = "") -> String {
      """
      {"payload":"\(Base64.encode(payload))","payloadType":"\(type)",\
      "signatures":[\(signatures.joined(separator: ","))]\(more)}
      """
    }

    func with(_ change: (inout Parts) -> Void) -> [UInt8] {
      var parts = self
      change(&parts)
      return parts.bytes
    }

    /// The same with other bytes as its one signature.
    func signed(_ bytes: [UInt8]) -> [UInt8] {
      with { $0.signatures = [Self.entry(bytes, keyID)] }
    }

    static func entry(_ bytes: [UInt8], _ keyID: String) -> String {
      #"{"keyid":"\#(keyID)","sig":"\#(Base64.encode(bytes))"}"#
    }
  }

  private static let zero = [UInt8](repeating: 0, count: 64)

  private static let refused = [
    Change("no signature", 6) { $0.with { $0.signatures = [] } },
    Change("an empty signature", 6) { $0.signed([]) },
    Change("63 bytes", 6) { parts in parts.signed(Array(parts.signature.dropLast())) },
    Change("65 bytes", 6) { parts in parts.signed(parts.signature + [0]) },
    Change("only zeros", 6) { $0.signed(zero) },
    Change("a number above the group order", 6) { parts in
      parts.signed(addingGroupOrder(to: parts.signature))
    },
    Change("a signature that is no base64", 6) { parts in
      parts.with { $0.signatures = [#"{"keyid":"","sig":"!"}"#] }
    },
    Change("a signature without its bytes", 6) { $0.with { $0.signatures = [#"{"keyid":""}"#] } },
    Change("CVE-2025-0509: another payload under the signature", 6) { parts in
      parts.with { $0.payload += Array(" ".utf8) }
    },
    Change("the payload in other white space", 6) { parts in
      parts.with { parts in
        let text = String(decoding: parts.payload, as: UTF8.self)
        parts.payload = Array(text.replacingOccurrences(of: ",", with: ", ").utf8)
      }
    },
    Change("CVE-2021-41190: another type", 6) { $0.with { $0.type = "application/json" } },
    Change("the name of a trusted key in the place of a signature", 6) { parts in
      parts.signed(Array(parts.keyID.utf8))
    },
    Change("CVE-2017-0899: the name moves the cursor", 6) { parts in
      parts.with { $0.signatures = [Parts.entry(zero, #"\u001b[2J\u202e\u0007"#)] }
    },
    Change("model-transparency: a member twice, the second empty", 6) { parts in
      Array(parts.text(#","signatures":[]"#).utf8)
    },
    Change("a byte order mark", 6) { [0xef, 0xbb, 0xbf] + $0.bytes },
    Change("bytes after the end", 6) { $0.bytes + Array("{}".utf8) },
    Change("depth 100,000", 6) { parts in
      let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
      return Array(parts.text(#","x":\#(deep)"#).utf8)
    },
    Change("65 signatures", 6) { parts in
      parts.with { $0.signatures = Array(repeating: $0.signatures[0], count: 65) }
    },
    Change("nothing at all", 6) { _ in [] },
  ]

  @Test(arguments: refused)
  func `a manifest that was tampered with is refused`(_ change: Change) async throws {
    try place(try change.make(try await signedParts()), at: "m.json")
    let outcome = try await publish("verify", "m.json", "--key", "keys/release.pub")
    #expect(outcome.exitCode == change.code, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("error: "))
    #expect(outcome.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 })
    #expect(!outcome.errors.contains("\u{202e}"))
  }

  private static let accepted = [
    Change("as it was signed", 0) { $0.bytes },
    Change("members that are unknown", 0) { parts in
      Array(parts.text(#","x":[1,{"y":null}]"#).utf8)
    },
    Change("securesystemslib #416: no name", 0) { parts in
      parts.with { $0.signatures = [#"{"sig":"\#(Base64.encode($0.signature))"}"#] }
    },
    Change("an empty name", 0) { parts in
      parts.with { $0.signatures = [Parts.entry($0.signature, "")] }
    },
    Change("a wrong name", 0) { parts in
      parts.with { $0.signatures = [Parts.entry($0.signature, "SHA256:wrong")] }
    },
    Change("model_signing: a bad signature before the good one", 0) { parts in
      parts.with { $0.signatures.insert(Parts.entry(zero, $0.keyID), at: 0) }
    },
    Change("CVE-2026-39984: a bad signature after the good one", 0) { parts in
      parts.with { $0.signatures.append(Parts.entry(zero, $0.keyID)) }
    },
    Change("the URL-safe alphabet", 0) { parts in
      Array(
        parts.text().replacingOccurrences(
          of: Base64.encode(parts.signature),
          with: Base64.encode(parts.signature).replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
        ).utf8
      )
    },
  ]

  @Test(arguments: accepted)
  func `what proves nothing changes nothing`(_ change: Change) async throws {
    try place(try change.make(try await signedParts()), at: "m.json")
    let outcome = try await publish("verify", "m.json", "--key", "keys/release.pub")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("1 of 1 key signed, 1 needed\n"))
  }

  @Test func `CVE-2026-49834: many signatures of one key are one signer`() async throws {
    try await makeKey("other")
    let parts = try await signedParts()
    let names = ["", "SHA256:a", parts.keyID]
    try place(
      parts.with { $0.signatures = names.map { Parts.entry(parts.signature, $0) } },
      at: "m.json"
    )
    let outcome = try await publish(
      "verify",
      "m.json",
      "--key",
      "keys/release.pub",
      "--key",
      "keys/other.pub",
      "--threshold",
      "2"
    )
    #expect(outcome.exitCode == 6)
    #expect(outcome.errors.hasPrefix("error: 1 of 2 keys signed this manifest, 2 needed\n"))
  }

  @Test(arguments: [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
  ])
  func `a key of small order is not taken, to verify, to attach or to sign with`(
    key: String
  ) async throws {
    try await buildSignedManifest()
    try place(Self.zero, at: "s.bin")
    let before = try contents("m.json")
    for arguments in [
      ["verify", "m.json", "--key", key], ["sign", "m.json", "--attach", "s.bin", "--pub", key],
      ["sign", "m.json", "--signer", "cat s.bin", "--pub", key],
      ["signatures", "merge", "m.json", "--key", key],
    ] {
      let outcome = try await publish(arguments)
      #expect(outcome.exitCode == 2, "\(outcome.errors)")
      #expect(try contents("m.json") == before)
    }
  }

  @Test func `signing the same release twice gives the same bytes`() async throws {
    try await makeKey()
    try await buildManifest()
    let unsigned = try contents("m.json")
    var results: [[UInt8]] = []
    for _ in 0..<3 {
      try place(unsigned, at: "m.json")
      _ = try await publish("sign", "m.json", "--key", "keys/release.key")
      results.append(try contents("m.json"))
    }
    #expect(Set(results).count == 1)
  }

  private func signedParts() async throws -> Parts {
    try await buildSignedManifest()
    let envelope = try manifest()
    let signature = try #require(envelope.signatures.first)
    return Parts(
      payload: envelope.payload,
      signatures: [Parts.entry(signature.bytes, signature.keyID)],
      signature: signature.bytes,
      keyID: signature.keyID
    )
  }
}

/// The same signature with the order of the group added to S, which a lax verifier takes as well (RFC 8032 section 5.1.7).
private func addingGroupOrder(to signature: [UInt8]) -> [UInt8] {
  let order: [UInt8] =
    [
      0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
      0x14,
    ] + [UInt8](repeating: 0, count: 15) + [0x10]
  var result = signature
  var carry = 0
  for index in 0..<32 {
    let sum = Int(signature[32 + index]) + Int(order[index]) + carry
    result[32 + index] = UInt8(sum & 255)
    carry = sum >> 8
  }
  return result
}
