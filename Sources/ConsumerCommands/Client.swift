import CommandLineKit
import Glibc
import Manifests
import ModelStore
import Transfers
import Trust

/// What the commands of one run share: the configuration, the store, the clock.
struct Client {
  let folders: ClientFolders
  let trust: TrustFile
  let runtimes: RuntimeFile
  private let context: CommandContext

  init(_ context: CommandContext) throws {
    self.context = context
    folders = try ClientFolders(context)
    trust = TrustFile(in: folders.configuration)
    runtimes = RuntimeFile(in: folders.configuration)
  }

  /// The time now; this is the one place where the client reads the clock.
  static func now() throws -> Timestamp {
    guard let now = Timestamp(seconds: Int64(time(nil))) else {
      throw Diagnostic(
        .localFailure,
        kind: "clock",
        "the clock of this machine shows a year that no date has",
        helps: ["set the clock"]
      )
    }
    return now
  }

  /// Opens the store for reading; throws `noSuchModel` for `model` if there is no store at all.
  func store(having model: ModelName) throws -> Store {
    guard let store = try Store.open(reading: folders.store) else {
      throw StoreError.noSuchModel(model)
    }
    return store
  }

  /// Opens a model that the store must have, for changing it.
  func storedModel(_ name: ModelName) throws -> StoredModel {
    _ = try store(having: name).model(name)
    return try Store(changing: folders.store).modelForChanging(name)
  }

  /// How this client fetches, by its name and what the environment says of proxies.
  func fetchOptions() -> FetchOptions {
    var options = FetchOptions()
    options.userAgent = "\(context.tool)/\(context.version)"
    options.proxies.http = proxy("http_proxy")
    options.proxies.https = proxy("https_proxy") ?? proxy("HTTPS_PROXY")
    options.proxies.exceptions = proxy("no_proxy") ?? proxy("NO_PROXY")
    return options
  }

  private func proxy(_ variable: String) -> String? {
    context.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }
}
