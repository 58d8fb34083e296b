import CommandLineKit
import Manifests
import Trust

extension Diagnostic {
  /// Why metadata of a repository is refused, with the section of the TUF specification.
  ///
  /// A refusal is never a matter of trying again; the kind says whether somebody may have replayed an old state.
  init(_ error: MetadataRefusal) {
    let message = "the metadata of the repository is \(error)"
    switch error.kind {
    case .rollback: self.init(.notAccepted, kind: .metadataRollback, message)
    case .expired: self.init(.notAccepted, kind: .metadataExpired, message)
    case .wrongBytes: self.init(.wrongBytes, kind: .badMetadata, message)
    default: self.init(.notAccepted, kind: .badMetadata, message)
    }
  }

  /// Why what a repository says is not taken, or leaves nothing to install.
  init(_ error: RepositoryError) {
    switch error {
    case .nameTaken, .overlap, .noSuchRepository: self.init(aboutList: error)
    case .withdrawn, .noRelease, .noUsableRelease: self.init(aboutReleases: error)
    case .alreadyWithdrawn(let model, let version):
      self.init(.usage, "\(model) \(version) is withdrawn already")
    case .document(let path, let problem):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "\(quoted(path)) is malformed: \(problem.text)"
      )
    case .noReleasePath(let path):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "\(quoted(path)) is not the path of a release's manifest"
      )
    case .repeatedRelease(let path, let model, let version):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "\(quoted(path)) names \(model) \(version) twice"
      )
    case .badEnvelope(let path, let problem):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "\(quoted(path)) is malformed: \(problem.text)"
      )
    case .policySigners(let counted, let threshold):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "\(counted) keys of the root have signed the trust policy, \(threshold) needed",
        helps: ["the publisher has to sign policy.json with keys of the root"]
      )
    case .policyRollback(let old, let new):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "the trust policy has version \(new), and \(old) was accepted before"
      )
    case .policyReplaced(let version):
      self.init(
        .notAccepted,
        kind: .badRepository,
        "another trust policy of version \(version) was accepted before"
      )
    case .noPolicy:
      self.init(
        .notAccepted,
        kind: .badRepository,
        "the repository has no trust policy, so nothing of it can be accepted",
        helps: ["the publisher has to add policy.json"]
      )
    case .badPolicy(let problem):
      let reason = Diagnostic(problem, for: .client)
      self.init(
        .notAccepted,
        kind: .badRepository,
        "what the keys of the root signed is no trust policy",
        notes: [reason.message]
      )
    case .contradiction(let entry, let found):
      self.init(
        .notAccepted,
        kind: .badEntry,
        "the manifest is not the one that the repository lists",
        notes: ["listed: \(entry.words)", "signed: \(found.words)"],
        helps: ["tell the publisher of the repository"]
      )
    }
  }

  private init(aboutList error: RepositoryError) {
    switch error {
    case .nameTaken(let name, let url):
      self.init(
        .usage,
        kind: .repositoryNameTaken,
        "the name \(name) is that of the repository at \(url)",
        helps: ["give another one with --name, or remove that repository first"]
      )
    case .overlap(let pattern, let taken, let repository):
      self.init(
        .usage,
        kind: .overlappingRepositories,
        "a model may match both \(pattern.text) and \(taken.text), which belongs to the repository \(repository)",
        helps: ["one repository decides about a model: give a pattern that is apart from the other"]
      )
    case .noSuchRepository(let name):
      self.init(
        .notFound,
        kind: .noSuchRepository,
        "there is no repository \(name)",
        helps: ["sealift repo list shows the repositories"]
      )
    default: self.init(unknown: error)
    }
  }

  private init(aboutReleases error: RepositoryError) {
    switch error {
    case .withdrawn(let release):
      self.init(
        .notAccepted,
        kind: .withdrawn,
        "\(release.model) \(release.version) is withdrawn: \(escaped(release.reason))",
        notes: ["withdrawn at \(release.time)"],
        helps: ["install another version: sealift install \(release.model)"]
      )
    case .noRelease(let model, let demand, let entries):
      self.init(
        .notFound,
        kind: .noFittingRelease,
        "the repository has no release of \(model)\(demand.words)",
        notes: entries.isEmpty
          ? ["it has no current release of this model at all"]
          : entries.reversed().prefix(8).map { "it has \($0.words)" },
        helps: entries.isEmpty ? [] : ["name a version or a channel that it has"]
      )
    case .noUsableRelease(let model, let passed):
      self.init(
        .unusable,
        kind: .runtime,
        "no release of \(model) that fits can be run here",
        notes: passed.map(\.words),
        helps: [
          "state the runtime that will load it: --runtime NAME=VERSION, or for good: sealift runtime set NAME=VERSION"
        ]
      )
    default: self.init(unknown: error)
    }
  }

  /// Why a release of a model that belongs to a repository is not accepted.
  init(reserved model: ModelName, by repository: RepositoryName, _ problem: ReservationProblem) {
    let message: String
    let help: String
    switch problem {
    case .noPolicy:
      message = "\(model) belongs to the repository \(repository), which has not been asked yet"
      help = "sealift repo update fetches what it says"
    case .damagedPolicy:
      message =
        "\(model) belongs to the repository \(repository), and what that has said cannot be read here any more"
      help = "sealift repo update fetches it again"
    case .foreignSigner:
      message = "\(model) belongs to the repository \(repository), and none of its keys has signed"
      help = "sealift install \(model) installs what the repository offers"
    case .noRule:
      message =
        "\(model) belongs to the repository \(repository), whose policy has no rule about it"
      help = "tell the publisher of the repository"
    }
    self.init(
      .notAccepted,
      kind: .reserved,
      message,
      notes: ["keys that the trust policy here names do not count for it"],
      helps: [help]
    )
  }

  private init(unknown error: RepositoryError) {
    self.init(
      .internalError,
      "unexpected: \(error)",
      helps: ["this is a mistake in the program; please report it"]
    )
  }
}

extension ReleaseEntry {
  /// The entry in a few words: `acme/tiny 1.0.0 (beta, stable)`.
  package var words: String {
    let names =
      channels.isEmpty ? "no channel" : channels.sorted().map(\.text).joined(separator: ", ")
    return "\(model) \(version) (\(names)), released \(released)"
  }
}

extension ReleaseDemand {
  /// What is wanted, to follow a model.
  package var words: String {
    let range = "\(range)"
    return (range.isEmpty ? "" : " in \(range)") + (channel.map { " in the channel \($0)" } ?? "")
  }
}

extension ReleaseChoice.Passed {
  /// Why the release is not chosen, in one sentence.
  package var words: String {
    switch reason {
    case .runtime(let verdict):
      "\(version) does not run here: \(verdict.deciding.map { "\($0)" } ?? "\(verdict.state)")"
    case .withdrawn(let reason): "\(version) is withdrawn here: \(escaped(reason))"
    case .markedBad(let reason): "\(version) is marked bad here: \(escaped(reason))"
    }
  }
}
