import CommandErrors
import CommandLineKit
import Manifests
import ModelStore
import Repositories
import Transfers
import Trust

/// A repository in its present state: its terms are accepted, and its releases can be listed and fetched.
///
/// Other processes wait for its end before they follow the same repository.
struct FollowedRepository {
  let repository: PinnedRepository
  let policy: RepositoryPolicy
  let withdrawn: WithdrawnReleases
  private let session: RepositorySession

  /// Asks a repository, and accepts what it says of itself: the policy that its root signs, and what it has withdrawn.
  ///
  /// What was accepted before stays in force until all of it is accepted. Mirrors that did something wrong on the way
  /// are told as warnings.
  init(
    _ repository: PinnedRepository,
    _ client: Client,
    _ options: FetchOptions,
    now: Timestamp
  ) async throws {
    self.repository = repository
    let folder = try client.stateFolder(making: repository.name)
    session = try await repository.follower(repository.urls, options).refresh(folder, now: now)
    guard let bytes = try await session.bytes(at: RepositoryPath.policy) else {
      throw RepositoryError.noPolicy
    }
    let root = session.metadata.root
    policy = try RepositoryPolicy.accept(
      bytes,
      signedBy: root.contents,
      after: try folder.floor(by: root)
    )
    let list = try await session.bytes(at: RepositoryPath.withdrawn)
    withdrawn =
      try list.map { bytes throws(RepositoryError) in
        try WithdrawnReleases(parsing: bytes)
      } ?? WithdrawnReleases()
    try session.keepAccepted(withdrawn.encode(), as: RepositoryPath.withdrawn)
    try session.keepAccepted(bytes, as: RepositoryPath.policy)
    try KeptExpiries.keep(session.metadata, of: repository, in: session)
    for note in session.notes { client.warn(note, of: repository.name) }
  }

  var metadata: TrustedMetadata { session.metadata }

  /// The releases of a model: as the index of the model lists them where targets are delegated, or as the targets do.
  func entries(of model: ModelName) async throws -> [ReleaseEntry] {
    let targets = metadata.targets.contents
    if targets.delegations != nil,
      let bytes = try await session.bytes(at: RepositoryPath.index(of: model))
    {
      return try ModelIndex(parsing: bytes, of: model).rows.map(\.entry)
    }
    return try targets.targets.compactMap { path, file in
      guard RepositoryPath.release(at: path.text)?.model == model else { return nil }
      return try ReleaseEntry(path: path.text, custom: file.custom)
    }
  }

  /// The models that the repository's own list of targets has, each with its releases.
  var counts: (models: Int, releases: Int) {
    let releases = metadata.targets.contents.targets.keys
      .compactMap { RepositoryPath.release(at: $0.text)?.model }
    return (Set(releases).count, releases.count)
  }

  /// Chooses the newest release that is wanted and that can be run, and accepts its manifest.
  ///
  /// - Parameters:
  ///   - demand: What is wanted.
  ///   - model: The model, which belongs to the repository.
  ///   - policy: The trust policy of the client, under which the repository decides about the model.
  ///   - statements: The stated runtimes; nil where the release is not to be run.
  ///   - badMark: Why a person has marked a version bad; nil for one that has no mark, or where a person asks for it.
  ///   - now: The time of the decision.
  /// - Returns: What was chosen, and the newer releases that were passed over.
  /// - Throws: `RepositoryError`, a `Diagnostic` for a manifest that is refused, `RepositoryFault`.
  func choose(
    _ demand: ReleaseDemand,
    of model: ModelName,
    by policy: TrustPolicy,
    given statements: [RuntimeStatement]?,
    badMark: (VersionName) throws -> String? = { _ in nil },
    now: Timestamp
  ) async throws -> ChosenRelease {
    var choice = try ReleaseChoice(
      demand,
      of: model,
      among: try await entries(of: model),
      withdrawn: withdrawn
    )
    while true {
      let bytes = try await manifest(of: choice.candidate)
      do {
        let accepted = try policy.accept(bytes, at: now)
        let name = VersionName(version: accepted.release.version, manifest: accepted.digest)
        if let reason = try badMark(name) {
          try choice.passMarkedBad(reason: reason)
          continue
        }
        if let chosen = try choice.consider(accepted, given: statements) {
          return ChosenRelease(accepted: chosen, passed: choice.passed)
        }
      } catch TrustError.withdrawnManifest(_, let reason) {
        try choice.passWithdrawn(reason: reason)
      } catch let refusal as TrustError {
        let reason = ConsumerTool.explain(policy.refusal(refusal, of: model))
        throw Diagnostic(
          reason.exitCode,
          kind: reason.kind,
          "\(model) \(choice.candidate.version): \(reason.message)",
          notes: reason.notes,
          helps: reason.helps
        )
      }
    }
  }

  /// The manifest of a release as its target has it; the entry there is the one that counts.
  private func manifest(of entry: ReleaseEntry) async throws -> [UInt8] {
    let path = RepositoryPath.manifest(of: entry.model, entry.version)
    guard let target = try await session.target(at: path) else {
      throw RepositoryError.noReleasePath(path)
    }
    let listed = try ReleaseEntry(path: path, custom: target.file.custom)
    guard listed == entry else { throw RepositoryError.contradiction(entry, found: listed) }
    return try await session.document(target)
  }
}

/// A release that was chosen.
struct ChosenRelease {
  let accepted: AcceptedManifest
  /// The newer releases that fit and were passed over, the newest first.
  let passed: [ReleaseChoice.Passed]

  /// Names the newer releases that this client cannot run.
  func tell(_ console: Console) {
    let release = accepted.release
    for passed in passed {
      console.inform("\(release.model) \(passed.words); taking \(release.version)")
    }
  }
}

extension RepositorySession {
  fileprivate func target(at path: String) async throws -> FoundTarget? {
    guard let path = TargetPath(path) else { return nil }
    return try await find(path)
  }

  /// The bytes of a small document; nil if the repository has none.
  fileprivate func bytes(at path: String) async throws -> [UInt8]? {
    guard let target = try await target(at: path) else { return nil }
    return try await document(target, limit: RepositoryFolder.documentLimit)
  }
}

extension Client {
  /// Tells what went wrong on the way to a repository although all is well.
  func warn(_ note: RepositoryNote, of repository: RepositoryName) {
    let message = "repository \(repository): \(note)"
    switch note {
    case .mirror: console.warn(Diagnostic(.notAccepted, kind: .badMetadata, message))
    case .clockSetBack: console.warn(Diagnostic(.localFailure, kind: .badClock, message))
    }
  }
}
