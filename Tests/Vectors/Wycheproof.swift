import Foundation

/// The signature vectors of Project Wycheproof, for one public key.
package struct WycheproofGroup: Decodable {
  package struct Key: Decodable {
    /// The bytes of the key in hexadecimal digits.
    package let pk: String
  }

  package enum Verdict: String, Decodable { case valid, invalid, acceptable }

  package struct Test: Decodable {
    package let tcId: Int
    package let flags: [String]
    /// Message and signature in hexadecimal digits.
    package let msg: String
    package let sig: String
    package let result: Verdict
  }

  package let publicKey: Key
  package let publicKeyDer: String
  package let publicKeyPem: String
  package let tests: [Test]

  private struct File: Decodable {
    let testGroups: [WycheproofGroup]
  }

  /// Reads the Ed25519 vectors.
  package static func ed25519() throws -> [WycheproofGroup] {
    let contents = try VectorFolder.pycryptodome.bytes("Signature/wycheproof/ed25519_test.json")
    return try JSONDecoder().decode(File.self, from: Data(contents)).testGroups
  }
}
