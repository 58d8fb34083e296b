/// A line of `sign.input`, the vectors of the authors of Ed25519.
package struct SignInput {
  package let seed: [UInt8]
  package let publicKey: [UInt8]
  package let message: [UInt8]
  package let signature: [UInt8]

  /// Reads all lines: secret key and public key, public key, message, signature and message.
  package static func all() throws -> [SignInput] {
    try VectorFolder.cryptography.lines("asymmetric/Ed25519/sign.input").map { line in
      let fields = line.split(separator: ":", omittingEmptySubsequences: false).map {
        [UInt8](hex: String($0))
      }
      guard fields.count >= 4, let pair = fields[0], let publicKey = fields[1],
        let message = fields[2], let signed = fields[3], pair.count == 64, signed.count >= 64
      else { throw VectorError.malformed(line) }
      return SignInput(
        seed: Array(pair.prefix(32)),
        publicKey: publicKey,
        message: message,
        signature: Array(signed.prefix(64))
      )
    }
  }
}
