import CommandLineKit
import Manifests
import ModelStore
import Repositories
import SystemFiles
import Transfers
import Trust
import Verification

extension Client {
  /// Reads the list of repositories; what is wrong with the file is exit code 2 and names its path.
  func repositoryList() throws -> RepositoryList {
    try Self.reading(repositories.path) { try repositories.load() }
  }

  /// Changes the list of repositories; what is wrong with the file is told first, and then nothing is changed.
  func changeRepositories(_ edit: (RepositoryList) throws -> RepositoryList) throws {
    _ = try repositoryList()
    try repositories.change(edit)
    console.wrote(repositories.path)
  }

  /// The models that are reserved, with what their repositories have said as far as this client has accepted it.
  ///
  /// Nothing that lies in the store can take a reservation away: what cannot be read there, or was not signed by a root
  /// that the pinned one leads to, leaves the models to nobody.
  func reservations(of repositories: [PinnedRepository]) -> [Reservation] {
    repositories.map { reservation(of: $0) }
  }

  /// What is reserved for one repository.
  func reservation(of repository: PinnedRepository) -> Reservation {
    var (terms, isDamaged): (RepositoryTerms?, Bool) = (nil, false)
    do {
      if let folder = try stateFolder(of: repository.name) {
        terms = try folder.acceptedTerms(of: repository.follower([], FetchOptions()))
        isDamaged = try terms == nil && folder.keptTime() != nil
      }
    } catch {
      isDamaged = true
    }
    return Reservation(
      repository: repository.name,
      models: repository.models,
      terms: terms,
      isDamaged: isDamaged
    )
  }

  /// The folder with what is known of a repository; nil if there is none.
  func stateFolder(of repository: RepositoryName) throws -> RepositoryFolder? {
    guard let store = try Store.open(reading: folders.store),
      let folder = try store.existingRepositoryFolder(repository)
    else { return nil }
    return RepositoryFolder(folder, modes: store.modesOfRepositories)
  }

  /// The same, for writing: it is made where it is missing.
  func stateFolder(making repository: RepositoryName) throws -> RepositoryFolder {
    let store = try storeForChanging()
    return RepositoryFolder(
      try store.repositoryFolder(repository),
      modes: store.modesOfRepositories
    )
  }

  /// Forgets what is known of a repository, where there is a store at all, once no other process follows it.
  func forgetState(of repository: RepositoryName) async throws {
    guard let folder = try stateFolder(of: repository) else { return }
    let store = try storeForChanging()
    try await StopFlag.withFlag { stop in
      guard let lock = try folder.lock(while: { !stop.isRaised }) else { throw CancellationError() }
      try store.removeRepository(repository)
      lock.release()
    }
  }

  /// The repository's own blobs, as the last mirrors of a model that belongs to one.
  func impliedMirrors(of model: ModelName) throws -> [MirrorTemplate] {
    try repositoryList().repository(for: model)?.urls.map(\.blobs) ?? []
  }
}

extension Store {
  fileprivate var modesOfRepositories: RepositoryFolder.Modes {
    let modes = repositoryModes
    return RepositoryFolder.Modes(
      folder: modes.folder,
      file: modes.file,
      lockFile: modes.lockFile
    )
  }
}

extension PinnedRepository {
  /// What follows the repository from its pinned root.
  func follower(_ mirrors: [RepositoryURL], _ options: FetchOptions) -> Repository {
    Repository(pin: root, mirrors: mirrors.map { RepositoryMirror($0.text) }, options: options)
  }
}

extension RepositoryFolder {
  /// Documents that decide are small.
  static let documentLimit = 4 << 20

  /// What was accepted of a repository before; nil where it is not there whole, or not signed any more.
  fileprivate func acceptedTerms(of repository: Repository) throws -> RepositoryTerms? {
    guard let policy = try accepted(RepositoryPath.policy, limit: Self.documentLimit),
      let withdrawn = try accepted(RepositoryPath.withdrawn, limit: Self.documentLimit)
    else { return nil }
    let kept = try repository.keptRoots(self)
    let roots = try RootChain(pin: kept.pin, chain: kept.chain).roots
    guard let policy = RepositoryPolicy.restored(policy, roots: roots) else { return nil }
    return RepositoryTerms(
      policy: policy.policy,
      withdrawn: try WithdrawnReleases(parsing: withdrawn)
    )
  }

  /// The policy that was accepted before, as far as the keys of this root still vouch for it: none older is accepted.
  func floor(by root: SignedRoot) throws -> RepositoryPolicy? {
    try accepted(RepositoryPath.policy, limit: Self.documentLimit)
      .flatMap { RepositoryPolicy.restored($0, roots: [root]) }
  }
}
