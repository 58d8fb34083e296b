package import CommandLineKit
package import Manifests

extension Diagnostic {
  /// What is wrong with a manifest, or with a text that was to be a part of one.
  ///
  /// 2 for what was typed, 6 for bytes that nobody can have signed, 9 for a signed payload that is no manifest.
  package init(_ error: ManifestError) {
    switch error {
    case .text: self.init(.usage, error.text)
    case .release: self.init(.usage, kind: .noRelease, error.text)
    case .envelope:
      self.init(
        .notAccepted,
        kind: .noManifest,
        error.text,
        helps: ["a manifest is a DSSE envelope as sealift-publish writes it"]
      )
    case .payload: self.init(.unusable, kind: .badManifest, error.text)
    case .report: self.init(.unusable, kind: .badReport, error.text)
    case .signing(.alreadySigned):
      self.init(
        .usage,
        kind: .alreadySigned,
        error.text,
        notes: ["nothing was changed"],
        helps: ["sign with another key, or go on and publish"]
      )
    case .signing(.doesNotVerify): self.init(.notAccepted, kind: .badSignature, error.text)
    case .signing(.tooManySignatures): self.init(.usage, kind: .tooManySignatures, error.text)
    case .signing(.otherPayload(let expected, let found)):
      self.init(
        .notAccepted,
        kind: .otherPayload,
        error.text,
        notes: [
          "expected the manifest \(expected)", "found the manifest \(found)", "nothing was changed",
        ],
        helps: ["signatures stand for one manifest: sign the same file, byte for byte"]
      )
    case .signing(.notByAnyKey):
      self.init(
        .notAccepted,
        kind: .badSignature,
        error.text,
        notes: ["nothing was changed"],
        helps: ["name the key of its signer with --key as well, or leave that file out"]
      )
    case .signing(.unnamed), .signing(.contradiction):
      self.init(
        .notAccepted,
        kind: .badSignature,
        error.text,
        notes: ["nothing was changed"],
        helps: ["--key PUB, once for each signer, tells whose they are"]
      )
    }
  }
}
