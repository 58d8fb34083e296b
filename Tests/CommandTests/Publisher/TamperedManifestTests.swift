import CommandLineKit
import Foundation
import Manifests
import PublisherCommands
import Publishing
import Signatures
import StrictJSON
import TestSupport
import Testing
import Trust

/// One flipped bit anywhere in what is signed, or in the signature, refuses the manifest with exit code 6.
@Suite(.temporaryFolder)
struct TamperedManifestTests {
  private func signed() async throws -> (envelope: Envelope, key: PublicKey) {
    try await buildSignedManifest()
    return (try manifest(), try PublicKey(file: TemporaryFolder.path("keys/release.pub")))
  }

  /// What `verify` answers to these bytes.
  private func exitCode(_ bytes: [UInt8], _ key: PublicKey) throws -> ExitCode {
    let check = try ManifestCheck(keys: [TrustedKey(publicKey: key, name: "")], threshold: 1)
    do {
      _ = try check.accept(bytes, at: try Timestamp("2026-11-30T00:00:00Z"))
      return .done
    } catch {
      return PublisherTool.explain(error).exitCode
    }
  }

  private func text(payload: [UInt8], type: String, signature: [UInt8]) -> [UInt8] {
    JSONWriter.compact([
      "payload": .string(Base64.encode(payload)),
      "payloadType": .string(type),
      "signatures": [["keyid": "", "sig": .string(Base64.encode(signature))]],
    ])
  }

  @Test func `every bit of payload, type and signature counts`() async throws {
    let (envelope, key) = try await signed()
    let type = envelope.payloadType
    let signature = try #require(envelope.signatures.first).bytes
    let whole = text(payload: envelope.payload, type: type, signature: signature)
    #expect(try exitCode(whole, key) == .done)
    for (index, bit) in bits(of: envelope.payload) {
      let bytes = text(
        payload: flip(envelope.payload, index, bit),
        type: type,
        signature: signature
      )
      #expect(try exitCode(bytes, key) == .notAccepted, "payload byte \(index) bit \(bit)")
    }
    for (index, bit) in bits(of: signature) {
      let bytes = text(
        payload: envelope.payload,
        type: type,
        signature: flip(signature, index, bit)
      )
      #expect(try exitCode(bytes, key) == .notAccepted, "signature byte \(index) bit \(bit)")
    }
    for (index, bit) in bits(of: Array(type.utf8)) where bit < 7 {
      let other = String(decoding: flip(Array(type.utf8), index, bit), as: UTF8.self)
      let bytes = text(payload: envelope.payload, type: other, signature: signature)
      #expect(try exitCode(bytes, key) == .notAccepted, "type byte \(index) bit \(bit)")
    }
  }

  @Test func `every bit of their text in the file counts`() async throws {
    let (envelope, key) = try await signed()
    let file = envelope.encode()
    let signature = try #require(envelope.signatures.first).bytes
    for value in [Base64.encode(envelope.payload), Base64.encode(signature)] {
      let place = try #require(file.firstRange(of: Array(value.utf8)))
      for index in place {
        for bit in 0..<8 {
          let code = try exitCode(flip(file, index, bit), key)
          #expect(code == .notAccepted, "byte \(index) bit \(bit)")
        }
      }
    }
  }

  @Test func `the tool itself refuses with 6`() async throws {
    let file = try await signed().envelope.encode()
    let payload = try #require(file.firstRange(of: Array("\"payload\": \"".utf8))).upperBound
    let signature = try #require(file.firstRange(of: Array("\"sig\": \"".utf8))).upperBound
    for index in [payload, payload + 300, signature, signature + 40] {
      try place(flip(file, index, 0), at: "tampered.json")
      let outcome = try await publish("verify", "tampered.json", "--key", "keys/release.pub")
      #expect(outcome.exitCode == 6, "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func `the name of the key and white space decide nothing`() async throws {
    let (envelope, key) = try await signed()
    let signature = try #require(envelope.signatures.first).bytes
    let bytes = text(payload: envelope.payload, type: envelope.payloadType, signature: signature)
    #expect(try exitCode(bytes, key) == .done)
    #expect(try exitCode(bytes + Array(" \n".utf8), key) == .done)
  }

  private func bits(of bytes: [UInt8]) -> [(index: Int, bit: Int)] {
    bytes.indices.flatMap { index in (0..<8).map { (index, $0) } }
  }

  private func flip(_ bytes: [UInt8], _ index: Int, _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[index] ^= 1 << bit
    return bytes
  }
}
