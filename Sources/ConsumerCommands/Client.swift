import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import SystemFiles
import Transfers
import Trust

/// What the commands of one run share: the configuration, the store, how to fetch.
struct Client {
  let folders: ClientFolders
  let trust: TrustFile
  let runtimes: RuntimeFile
  let repositories: RepositoryFile
  let channels: ChannelFile
  private let context: CommandContext
  /// How the global options say that the store is used.
  let storeOptions: StoreOptions

  init(_ context: CommandContext) throws {
    self.context = context
    storeOptions = try Self.storeOptions(context)
    folders = try ClientFolders(context)
    trust = TrustFile(in: folders.configuration)
    runtimes = RuntimeFile(in: folders.configuration)
    repositories = RepositoryFile(in: folders.configuration)
    channels = ChannelFile(in: folders.configuration)
  }

  var console: Console { context.console }

  /// Reads the trust policy, under which repositories decide about the models that are reserved for them.
  ///
  /// What is wrong with a file of it is exit code 2 and names its path.
  func policy() throws -> TrustPolicy { try policyWithRepositories().policy }

  /// The same, with the list of repositories that was read for it.
  func policyWithRepositories() throws -> (policy: TrustPolicy, repositories: [PinnedRepository]) {
    let policy = try Self.reading(trust.path) { try trust.load() }
    let repositories = try repositoryList().repositories
    return (policy.reserving(reservations(of: repositories)), repositories)
  }

  /// Reads a trust policy that a person names, which must be there; under the same rules.
  func policy(at path: String) throws -> TrustPolicy {
    _ = try OpenFile(readingPlainFile: path)
    return try Self.reading(path) { try TrustFile(at: path).load() }
  }

  /// Reads the runtimes that are stated, `flags` over the file; a malformed file is exit code 2 and names its path.
  func statedRuntimes(overriddenBy flags: [RuntimeStatement] = []) throws -> [RuntimeStatement] {
    try Self.reading(runtimes.path) { try runtimes.load(overriddenBy: flags) }
  }

  static func reading<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as Diagnostic {
      throw error
    } catch let error as SystemError {
      throw error.at(path)
    } catch {
      let found = Diagnostic(common: error, for: .client).about(path)
      throw Diagnostic(
        found.exitCode,
        kind: found.kind,
        found.message,
        notes: found.notes,
        helps: found.helps + ["correct the file, or move it away and state anew what it said"]
      )
    }
  }

  /// Opens the store for reading; throws `noSuchModel` for `model` if there is no store at all.
  func store(having model: ModelName) throws -> Store {
    guard let store = try Store.open(reading: folders.store) else {
      throw StoreError.noSuchModel(model)
    }
    return store
  }

  /// Opens the store for reading; nil where there is none, unless that is to have `model`.
  func storeForReading(having model: ModelName?) throws -> Store? {
    guard let model else { return try Store.open(reading: folders.store) }
    let store = try store(having: model)
    try store.requireModel(model)
    return store
  }

  /// Opens the store for changing it, as the global options say.
  func storeForChanging() throws -> Store {
    let store = try Store(changing: folders.store, storeOptions)
    warnAboutFileSystem(of: store)
    if !context.globals.hasLocks { warnAboutLocks() }
    return store
  }

  /// Opens a model that the store must have, for changing it.
  func storedModel(_ name: ModelName) throws -> StoredModel {
    _ = try store(having: name).model(name)
    return try storeForChanging().modelForChanging(name)
  }

  /// Finishes what a killed process has left of a model, and replaces an active version that is damaged.
  ///
  /// Tells the person what mattered of it, and returns all that was done.
  @discardableResult
  func reconcile(_ model: borrowing StoredModel) async throws -> [ReconcileStep] {
    let steps = try await reconciler().reconcile(model)
    for step in steps { ReconcileWords(step, of: model.name).tell(context.console) }
    return steps
  }

  /// What brings models back to a state that they may be in, by today's trust policy.
  func reconciler() throws -> Reconciler {
    Reconciler(now: try Timestamp.current(), policy: { try policy() })
  }

  private func warnAboutLocks() {
    context.console.warn(
      Diagnostic(
        .localFailure,
        kind: .noLocks,
        "nothing keeps other processes out of the store",
        notes: ["nobody knows which versions are in use, so garbage collection keeps them all"]
      )
    )
  }

  /// Warns where files lie on another machine: locks and mappings may not keep their promises there.
  func warnAboutFileSystem(of store: borrowing Store) {
    guard case .network(let name)? = try? store.fileSystemKind() else { return }
    context.console.warn(
      Diagnostic(
        .localFailure,
        kind: .networkFileSystem,
        "the store lies on a network file system (\(name))",
        notes: ["a runtime that maps a file may crash when the network fails"],
        helps: ["keep the store on a local disk, with --store"]
      )
    )
  }

  private static func storeOptions(_ context: CommandContext) throws -> StoreOptions {
    var options = StoreOptions()
    options.locking = context.globals.hasLocks ? .kernel : .none
    options.hasLink = context.globals.hasSymlinks
    if let group = context.globals.shared {
      guard let number = try groupNumber(named: group) else {
        throw UsageError("--shared: there is no group \(quoted(group))")
      }
      options.sharedGroup = number
    }
    return options
  }

  /// How this client fetches, by its name and what the environment says of proxies.
  func fetchOptions() -> FetchOptions {
    var options = FetchOptions()
    options.userAgent = "\(context.tool)/\(context.version)"
    options.proxies = FetchOptions.Proxies(environment: context.environment)
    return options
  }
}
