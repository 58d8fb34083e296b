import Manifests
import Signatures
import StrictJSON
import Trust

/// Whose signatures a library believes; nothing else makes a release trusted.
public enum LibraryTrust: Hashable, Sendable {
  /// The rules that the application brings, of which the most specific one that names a model decides about it.
  case rules([SignerRule])
  /// A trust policy as bytes: the document that `sealift` keeps as `trust.json`.
  case policy([UInt8])
}

/// Which keys may sign the models of one pattern, and how many of them must.
public struct SignerRule: Hashable, Sendable {
  /// The models: a name such as `acme/tiny-chat`, or a pattern such as `acme/*`.
  public var models: String
  /// The public keys, each in a form that `sealift-publish key` writes, such as `ed25519:Y93y…`, PEM, or a line of OpenSSH.
  public var keys: [String]
  /// The number of different keys that must have signed.
  public var threshold: Int

  /// Makes a rule; whether its texts are right is said by ``ModelLibrary/init(store:trust:settings:)``.
  public init(models: String, keys: [String], threshold: Int = 1) {
    (self.models, self.keys, self.threshold) = (models, keys, threshold)
  }
}

extension LibraryTrust {
  /// Reads the rules, once and at the edge.
  ///
  /// Throws ``ModelFailure/Reason/invalidConfiguration`` for what is no policy.
  func policy() throws(ModelFailure) -> TrustPolicy {
    do {
      switch self {
      case .policy(let bytes): return try TrustPolicy(document: try JSONReader.parse(bytes))
      case .rules(let rules):
        return try rules.enumerated().reduce(TrustPolicy()) { policy, rule in
          let keys = try rule.element.keys.enumerated().map { number, text in
            TrustedKey(
              publicKey: try PublicKey(text: text),
              name: "key \(number + 1) of rule \(rule.offset + 1)"
            )
          }
          let models = try ModelPattern(rule.element.models)
          return try policy.adding(keys, for: models, threshold: rule.element.threshold)
        }
      }
    } catch {
      throw ModelFailure(
        configuration: "The trust settings of this application are not valid.",
        details: [escaped("\(error)")]
      )
    }
  }
}
