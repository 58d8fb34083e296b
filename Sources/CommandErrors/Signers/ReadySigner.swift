package import Signatures

/// A signer whose key is open, or was found in its agent: from here on only the signature itself can fail.
package enum ReadySigner: ~Copyable {
  case key(SecretKey)
  case agent(AgentSigner)
  case command(CommandSigner)

  package var publicKey: PublicKey {
    switch self {
    case .key(let key): key.publicKey
    case .agent(let signer): signer.publicKey
    case .command(let signer): signer.publicKey
    }
  }

  /// Gives the signer to `use`.
  ///
  /// - Throws: What the signer and `use` throw.
  package borrowing func lend<Use: SignerUse>(to use: Use) throws -> Use.Result {
    switch self {
    case .key(let key): try use.use(key)
    case .agent(let signer): try use.use(signer)
    case .command(let signer): try use.use(signer)
    }
  }
}

/// What is done with a signer, of whatever kind it is.
package protocol SignerUse {
  associatedtype Result

  func use(_ signer: borrowing some Signer & ~Copyable) throws -> Result
}
