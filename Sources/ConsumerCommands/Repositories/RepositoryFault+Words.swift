import CommandErrors
import CommandLineKit
import Manifests
import Repositories
import Transfers
import Trust

extension ConsumerTool {
  /// Words for a repository that could not be followed, with what each mirror did.
  static func explain(_ fault: RepositoryFault) -> Diagnostic {
    let notes = fault.troubles.prefix(16).map { "\($0)" }
    switch fault {
    case .badPin(let refusal):
      return Diagnostic(
        .notAccepted,
        kind: .badMetadata,
        "the pinned root cannot be used: \(refusal)",
        helps: ["get the root from the publisher again, and add the repository with it"]
      )
    case .refused(let refusal, let file, _):
      let reason = Diagnostic(common: refusal, for: .client)
      let place = file.map { "\(escaped($0)): " } ?? ""
      return Diagnostic(
        reason.exitCode,
        kind: reason.kind,
        place + reason.message,
        notes: notes,
        helps: ["what was accepted before stays in force; installed models keep working"]
      )
    case .unreachable:
      return Diagnostic(.network, "\(fault)", notes: notes, helps: ["try again later"])
    case .wrongTarget:
      return Diagnostic(.wrongBytes, kind: .integrity, "\(fault)", notes: notes)
    case .notKept:
      return Diagnostic(.network, "\(fault)", helps: ["sealift repo update fetches it"])
    default: return Diagnostic(.notAccepted, kind: .badMetadata, "\(fault)", notes: notes)
    }
  }
}

/// What is known of a repository on this machine, and since when it is not current any more.
struct RepositoryStanding {
  let name: RepositoryName
  /// Nil where it was never asked, or where nothing of it can be read.
  let metadata: TrustedMetadata?
  let now: Timestamp

  init(_ repository: PinnedRepository, _ client: Client, now: Timestamp) {
    (name, self.now) = (repository.name, now)
    metadata = Self.metadata(of: repository, client, now)
  }

  private static func metadata(
    of repository: PinnedRepository,
    _ client: Client,
    _ now: Timestamp
  ) -> TrustedMetadata? {
    do {
      guard let folder = try client.stateFolder(of: repository.name) else { return nil }
      return try repository.follower([], client.fetchOptions())
        .stored(folder, now: now, ignoringExpiry: true).metadata
    } catch {
      return nil
    }
  }

  /// The first role that has expired, and when; nil while all is current.
  var stale: (role: RoleName, since: Timestamp)? {
    metadata?.expiries.filter { $0.time <= now }.min { $0.time < $1.time }
      .map { (role: $0.role, since: $0.time) }
  }

  /// When the first of the roles expires.
  var end: (role: RoleName, time: Timestamp)? {
    metadata?.expiries.min { $0.time < $1.time }
  }

  /// How current it is, in one line.
  var words: String {
    guard metadata != nil, let end else { return "not asked yet: sealift repo update" }
    if let stale { return "stale since \(stale.since), when \(stale.role) expired" }
    return "current until \(end.time)"
  }

  /// Warns of metadata that is stale: what was withdrawn since is not known.
  func warnIfStale(_ console: Console) {
    guard let stale else { return }
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: .metadataExpired,
        "what is known of the repository \(name) is stale since \(stale.since), when \(stale.role) expired",
        notes: [
          "the clock here says \(now)",
          "what was withdrawn since is not known; installed models keep working",
        ],
        helps: ["sealift repo update \(name) asks it again"]
      )
    )
  }
}

extension Client {
  /// Warns of the repositories to which these models belong and about which nobody knows whether they are current.
  func warnOfStaleRepositories(of models: [ModelName]) throws {
    let now = try Timestamp.current()
    for repository in try repositoryList().repositories
    where models.contains(where: repository.covers) {
      RepositoryStanding(repository, self, now: now).warnIfStale(console)
    }
  }

  /// Follows a repository; a failure says what is known without it, and since when that is stale.
  func follow(
    _ repository: PinnedRepository,
    _ options: FetchOptions,
    now: Timestamp
  ) async throws -> FollowedRepository {
    do {
      return try await FollowedRepository(repository, self, options, now: now)
    } catch {
      guard error is RepositoryFault || error is RepositoryError else { throw error }
      let reason = ConsumerTool.explain(error)
      let standing = RepositoryStanding(repository, self, now: now)
      throw Diagnostic(
        reason.exitCode,
        kind: reason.kind,
        "repository \(repository.name): \(reason.message)",
        notes: reason.notes + ["what is known of it here is \(standing.words)"]
          + (reason.kind == .metadataExpired ? ["the clock here says \(now)"] : []),
        helps: reason.helps
      )
    }
  }

  /// The repository to which a model belongs; throws `noRepository` where none does.
  func repository(of model: ModelName) throws -> PinnedRepository {
    guard let repository = try repositoryList().repository(for: model) else {
      throw Diagnostic(
        .notFound,
        kind: .noRepository,
        "no repository provides \(model)",
        helps: [
          "give a manifest: a file such as ./\(model.folderName).json, or a URL",
          "sealift repo add URL --root FILE --models PATTERN adds a repository",
        ]
      )
    }
    return repository
  }
}
