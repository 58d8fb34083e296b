import Installing
import Manifests
import ModelStore
import Trust

// What is on disk, computed each time; nothing is remembered.
extension ModelLibrary {
  /// The models that have anything in the store, in the order of their names; none where there is no store.
  ///
  /// Reads names only, and works offline, like everything that looks.
  public func models() throws(ModelFailure) -> [String] {
    try looking { try Store.open(reading: storePath)?.modelNames().map(\.text) ?? [] }
  }

  /// The state of a model at this moment.
  ///
  /// It is that of the install which is at work, in this process or another; else that of what is on disk. A download that
  /// no process goes on with is never told as one that runs: without an active version it is
  /// ``ModelFailure/Reason/interrupted``, or why it failed; beside one, ``interruptedInstalls()`` lists it.
  public func state(of model: String) throws(ModelFailure) -> InstallState {
    let name = try modelName(model)
    if let state = job(of: name)?.last, state.isBusy { return state }
    return try looking {
      guard let store = try Store.open(reading: storePath),
        try store.modelNames().contains(name)
      else { return .notDownloaded }
      let stored = try store.model(name)
      return state(of: try stored.status(), in: stored)
    }
  }

  /// The version that is active; nil if none is.
  ///
  /// Reads one small file, so a service can ask before each request whether there is a new one.
  public func activeVersion(of model: String) throws(ModelFailure) -> String? {
    let name = try modelName(model)
    return try looking {
      guard let store = try Store.open(reading: storePath),
        try store.modelNames().contains(name)
      else { return nil }
      return try store.model(name).recordState().record?.active.version.text
    }
  }

  /// The installs that did not come to their end and that no process goes on with, to be offered for another try with
  /// ``ModelSource/interrupted(_:)``.
  public func interruptedInstalls() throws(ModelFailure) -> [InterruptedInstall] {
    try looking {
      guard let store = try Store.open(reading: storePath) else { return [] }
      return try store.modelNames().flatMap { name in
        let model = try store.model(name)
        let status = try model.status()
        guard !status.isBusy else { return [InterruptedInstall]() }
        return status.candidates.map { candidate in
          InterruptedInstall(
            model: name.text,
            version: candidate.name.version.text,
            fraction: fraction(of: candidate, in: model),
            failure: ModelFailure(candidate.journal?.failure)
          )
        }
      }
    }
  }

  /// Says what an install would take, without changing anything: the size, what will be fetched, and the space on disk.
  ///
  /// Fetches the manifest if the source is a URL. Throws what would refuse the release before its download, such as
  /// ``ModelFailure/Reason/notTrusted`` and ``ModelFailure/Reason/runtimeTooOld(needs:)``; that space is missing is said by
  /// the plan.
  public func plan(
    _ source: ModelSource,
    options: InstallOptions = InstallOptions()
  ) async throws(ModelFailure) -> InstallPlan {
    let now = try currentTime()
    return try await working { [self] in
      let request = try await request(source, options, at: now)
      let forecast = try Installer(request, now: now) { _ in }.forecast(in: storePath)
      return InstallPlan(model: request.accepted.release.model.text, forecast)
    }
  }

  private func state(
    of status: ModelStatus,
    in model: borrowing StoredModel
  ) -> InstallState {
    if status.isBusy, let candidate = status.candidates.first {
      let progress = model.progress(of: candidate.name)
      let part = fraction(of: candidate, in: model)
      return progress?.phase == .verify
        ? .verifying(fraction: part) : .downloading(fraction: part, rate: nil, eta: nil)
    }
    switch status.state {
    case .notDownloaded: return .notDownloaded
    case .active:
      guard let record = status.record.record else { return .failed(.damaged([])) }
      return .active(version: record.active.version.text)
    case .ready:
      let version = status.versions.last { $0.proof == .stamped }?.name.version.text
      return version.map { .ready(version: $0) } ?? .failed(.damaged([]))
    case .downloading, .verifying: return .failed(.interrupted)
    case .failed:
      guard status.record == .absent, let candidate = status.candidates.first else {
        return .failed(.damaged([]))
      }
      return .failed(ModelFailure(candidate.journal?.failure))
    }
  }

  /// The part that whoever worked on a candidate last said of it.
  private func fraction(
    of candidate: ModelStatus.StoredCandidate,
    in model: borrowing StoredModel
  ) -> Double {
    guard let progress = model.progress(of: candidate.name), progress.total > 0 else { return 0 }
    return Double(progress.done) / Double(progress.total)
  }

  /// Runs what only looks, and says what stands in its way.
  func looking<Value>(_ look: () throws -> Value) throws(ModelFailure) -> Value {
    do { return try look() } catch { throw ModelFailure(error) }
  }
}
