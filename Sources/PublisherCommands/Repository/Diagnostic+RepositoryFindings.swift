import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Trust

extension Diagnostic {
  /// Tells that a port cannot be listened on.
  init(takenPort port: UInt16) {
    self.init(
      .localFailure,
      "port \(port) is in use by another program",
      helps: ["name another with --port, or none, and a free one is chosen"]
    )
  }

  /// Tells that files of a release are nowhere where clients look for them.
  init(missing count: Int, _ first: RelativePath, _ release: Release) {
    self.init(
      .done,
      kind: .missingBlob,
      "\(release.model)@\(release.version): \(counted(count, "file")) of the release are not among the blobs",
      notes: [
        "the first is \(first)", "no mirror elsewhere is named, so that no client can install it",
      ],
      helps: ["run repo add again with --files DIR"]
    )
  }

  /// Tells that a release stays in the channels in which it is listed.
  init(listed model: ModelName, _ version: Version, in channels: Set<ChannelName>) {
    let names = channels.sorted().map(\.text).joined(separator: ", ")
    self.init(
      .done,
      kind: .listedElsewhere,
      "\(model)@\(version) is listed already, in \(names.isEmpty ? "no channel" : names), and stays there",
      helps: ["repo channel DIR \(model)@\(version) --add NAME changes that"]
    )
  }

  /// What a client of the tree would stumble over.
  init(_ finding: RepositoryCheck.Finding) {
    switch finding {
    case .badTarget(let path):
      self.init(
        .findings,
        kind: .badTarget,
        "\(path) is missing, or is not what the metadata names"
      )
    case .otherManifest(let model, let version):
      self.init(
        .findings,
        kind: .otherManifestListed,
        "what is listed as \(model)@\(version) is no manifest of it"
      )
    case .untrusted(let model, let version, let error):
      let why = Diagnostic(common: error, for: .publisher)
      self.init(
        .findings,
        kind: .refusedManifest,
        "the trust policy does not accept \(model)@\(version): \(why.message)"
      )
    case .noPolicy:
      self.init(
        .findings,
        kind: .noTrustPolicy,
        "there is no trust policy, so that clients accept nothing"
      )
    case .unsignedPolicy(let found, let threshold):
      self.init(
        .findings,
        kind: .unsignedPolicy,
        "the trust policy has \(found) of \(threshold) signatures by root keys"
      )
    case .missingBlob(let file, let model, let version):
      self.init(
        .findings,
        kind: .missingBlob,
        "\(model)@\(version): \(file) is not among the blobs, and no mirror elsewhere is named"
      )
    case .wrongBlob(let file, let model, let version):
      self.init(
        .findings,
        kind: .wrongBlob,
        "\(model)@\(version): the blob of \(file) is not the file"
      )
    case .otherNewestRoot(let file):
      self.init(
        .findings,
        kind: .badTarget,
        "\(file) is missing, or is not the newest root; repo refresh brings it back"
      )
    }
  }
}
