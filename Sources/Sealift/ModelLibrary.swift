import Glibc
import Installing
import Manifests
import ModelStore
import Synchronization
import SystemFiles
import Trust

/// The models of an application: what is installed, what is on its way, and what is in use.
///
/// A library is made of plain values and holds no connection and no lock while nothing goes on, so it can live as long as
/// the application. Several may use one store, in one process or in several, and the command line `sealift` too.
///
///     let library = try ModelLibrary(
///       trust: .rules([SignerRule(models: "acme/*", keys: ["ed25519:Y93y…"])])
///     )
///     for await state in library.install(.url("https://models.example.com/tiny.json")) { show(state) }
///     try await library.withActiveModel("acme/tiny") { model in try runtime.load(model.path) }
///
/// Every failure is a ``ModelFailure``, which has a sentence for people.
public final class ModelLibrary: Sendable {
  let storePath: String
  let policy: TrustPolicy
  let settings: CheckedSettings
  private let jobs = Mutex<[ModelSource: InstallJob]>([:])

  /// Makes a library; touches no file but the certificate authorities that the settings name.
  ///
  /// - Parameters:
  ///   - store: Where models are kept.
  ///   - trust: Whose signatures are believed.
  ///   - settings: How to fetch, and what may be loaded.
  /// - Throws: A ``ModelFailure`` of the reason ``ModelFailure/Reason/invalidConfiguration``.
  public init(
    store: StoreLocation = .user,
    trust: LibraryTrust,
    settings: LibrarySettings = LibrarySettings()
  ) throws(ModelFailure) {
    storePath = try store.path()
    policy = try trust.policy()
    self.settings = try CheckedSettings(settings)
  }

  /// Installs a release, and tells its states from now to the end.
  ///
  /// The work goes on whether or not somebody reads. While the same source is being installed, the states are those of that
  /// install, and `options` say nothing; while another process installs the same release, its progress is told. What is
  /// fetched is verified as it arrives, and again as it lies on disk; whatever fails, the version that is active stays, and
  /// the next install goes on with the bytes that are right.
  public func install(
    _ source: ModelSource,
    options: InstallOptions = InstallOptions()
  ) -> InstallStates {
    let (job, isNew) = jobs.withLock { jobs in
      if let job = jobs[source] { return (job, false) }
      let job = InstallJob()
      jobs[source] = job
      return (job, true)
    }
    let states = job.states()
    if isNew {
      job.start(BlockingExecutor("sealift.install")) { [self] in
        let last = await run(source, options, job)
        jobs.withLock { $0[source] = nil }
        return last
      }
    }
    return states
  }

  /// Cancels the installs of a model in this process; what was verified is not fetched again by the next one.
  ///
  /// The active version stays as it is. An install that has passed its commit is not undone.
  public func cancel(_ model: String) {
    for job in jobs.withLock({ Array($0.values) }) where job.model.map({ $0.text == model }) == true
    {
      job.cancel()
    }
  }

  /// Cancels the install of a source in this process, also before it is known which model that is.
  public func cancel(_ source: ModelSource) { jobs.withLock { $0[source] }?.cancel() }

  /// The job of this process that is at work on a model.
  func job(of model: ModelName) -> InstallJob? {
    jobs.withLock { jobs in jobs.values.first { $0.model == model } }
  }

  private func run(
    _ source: ModelSource,
    _ options: InstallOptions,
    _ job: InstallJob
  ) async -> InstallState {
    do {
      let now = try currentTime()
      let request = try await request(source, options, at: now)
      let release = request.accepted.release
      job.model = release.model
      let tracker = Mutex(StateTracker(size: release.size))
      let store = try Store(changing: storePath)
      if try !store.modelNames().contains(release.model) { job.tell(.notDownloaded) }
      _ = try await reconciler(at: now).reconcile(release.model, in: store)
      let installer = Installer(request, now: now) { event in
        if let state = tracker.withLock({ $0.state(after: event) }) { job.tell(state) }
      }
      let outcome = try await installer.install(into: store)
      let version = outcome.name.version.text
      return outcome.record == nil ? .ready(version: version) : .active(version: version)
    } catch {
      return .failed(ModelFailure(error))
    }
  }

  /// What to install, if its manifest can be had and is trusted.
  func request(
    _ source: ModelSource,
    _ options: InstallOptions,
    at now: Timestamp
  ) async throws -> InstallRequest {
    let manifest = try await manifest(of: source)
    var request = InstallRequest(try policy.accept(manifest, at: now))
    request.mirrors = settings.mirrors
    request.runtimes = settings.runtimes
    request.allowsCode = settings.allowsCode
    request.activates = options.activates
    request.consent = options.allowsDowngrade ? .anyVersion : .none
    request.transfer = settings.transfer
    request.installed = InstalledFiles(store: storePath, policy: policy, now: now)
    return request
  }

  private func manifest(of source: ModelSource) async throws -> [UInt8] {
    switch source {
    case .manifest(let bytes): return bytes
    case .file(let path): return try await ManifestSource.file(path).load(settings.transfer)
    case .url(let url): return try await ManifestSource.url(url).load(settings.transfer)
    case .interrupted(let text):
      let name = try modelName(text)
      guard let store = try Store.open(reading: storePath),
        try store.modelNames().contains(name)
      else { throw StoreError.noSuchModel(name) }
      let model = try store.model(name)
      guard let candidate = try model.status().candidates.first?.name,
        let manifest = try model.manifest(ofCandidate: candidate)
      else { throw ModelFailure.nothingInterrupted }
      return manifest
    }
  }

  func reconciler(at now: Timestamp) -> Reconciler {
    Reconciler(now: now, policy: { [policy] in policy })
  }

  func modelName(_ text: String) throws(ModelFailure) -> ModelName {
    do { return try ModelName(text) } catch { throw ModelFailure(error) }
  }

  /// The time by the system's clock.
  func currentTime() throws(ModelFailure) -> Timestamp {
    guard let time = Timestamp(seconds: Int64(time(nil))) else {
      throw ModelFailure(
        .localFailure,
        "The clock of this machine shows a year that no date has.",
        advice: "Set the clock."
      )
    }
    return time
  }
}

extension ModelFailure {
  fileprivate static let nothingInterrupted = ModelFailure(
    .noSuchVersion,
    "No download of the model was interrupted.",
    advice: "Install the model."
  )
}
