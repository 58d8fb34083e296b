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
        helps: (fault.mayPass
          ? ["try again later: a mirror that could not be asked may have what is current"] : [])
          + ["what was accepted before stays in force; installed models keep working"]
      )
    case .noRepository:
      return Diagnostic(
        .network,
        "\(fault)",
        notes: notes,
        helps: [
          "check the URL: the folder that has metadata/ and targets/",
          "sealift repo add replaces it, with the same --name",
        ]
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

extension Client {
  /// Warns of the repositories to which these models belong and about which nobody knows whether they are current.
  func warnOfStaleRepositories(
    of models: [ModelName],
    among repositories: [PinnedRepository]
  ) throws {
    let now = try Timestamp.current()
    for repository in repositories where models.contains(where: repository.covers) {
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
        notes: reason.notes + [standing.knowledge]
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
