package import CommandLineKit
package import Manifests
package import Signatures

extension Console {
  /// Warns of each of `keys` whose name stands over a signature that is by none of them.
  ///
  /// It decides nothing: a signature counts by its key, and its name is a claim.
  package func warnAboutForgeries(in envelope: Envelope, of keys: [PublicKey], _ outcome: String) {
    for name in Set(envelope.forgedSignatures(among: keys).map(\.keyID)).sorted() {
      warn(
        Diagnostic(
          .notAccepted,
          kind: .badSignature,
          "a signature under the name of \(name) is not by that key, or not of this manifest",
          notes: [outcome],
          helps: ["find out who changed the manifest"]
        )
      )
    }
  }
}
