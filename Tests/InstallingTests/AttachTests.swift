import Installing
import Manifests
import ModelStore
import ReleaseSimulator
import Synchronization
import SystemFiles
import TestSupport
import Testing
import Trust

/// Two processes that want the same release share one download.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct AttachTests {
  private let client: Client
  private let release: SimulatedRelease

  init() throws {
    client = try Client()
    release = try .tiny("1.0.0")
  }

  private func request(_ waiting: InstallWaiting) throws -> InstallRequest {
    var request = try client.request(release, from: [try client.localMirror(of: release)])
    request.waiting = waiting
    return request
  }

  private func name() throws -> VersionName {
    VersionName(version: release.version, manifest: try request(.never).accepted.digest)
  }

  @Test func `who waits for the same release follows its progress and ends with the same result`()
    async throws
  {
    let model = try client.model()
    let lock = try model.lockForInstall(of: name())
    let holder = HeldLock(lock)
    do {
      let candidate = try holder.candidate(of: model, for: request(.never).accepted)
      let note = try candidate.progressNote()
      note.note(CandidateProgress(phase: .download, done: 5, total: 10))
    }
    let installed = try await client.install(try request(.forSameRelease)) { event in
      // Whoever waits has seen the progress; now the other process ends.
      if case .attachedProgress(let progress) = event {
        #expect(progress == CandidateProgress(phase: .download, done: 5, total: 10))
        holder.release()
      }
    }
    #expect(installed.outcome.record?.active.version == release.version)
    #expect(try client.has(release))
  }

  @Test(arguments: [InstallWaiting.never, .forSameRelease])
  func `another release, or other work, is not waited for unless asked`(
    waiting: InstallWaiting
  ) async throws {
    let model = try client.model()
    let other = VersionName(version: try Version("9.0.0"), manifest: try release.digest())
    let lock = try model.lockForInstall(of: waiting == .never ? name() : other)
    await #expect(throws: StoreError.busy(release.model)) {
      try await client.install(try request(waiting))
    }
    lock.release()
  }

  @Test func `anything is waited for when that is asked`() async throws {
    let model = try client.model()
    let holder = HeldLock(try model.lockForInstall())
    try await client.install(try request(.forAnything)) { event in
      if case .attached = event { holder.release() }
    }
    #expect(try client.has(release))
  }

  @Test func `waiting ends when it is cancelled`() async throws {
    let model = try client.model()
    let lock = try model.lockForInstall(of: name())
    let request = try request(.forSameRelease)
    let client = client
    let (events, attached) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      _ = try await client.install(request) { event in
        if case .attached = event { attached.yield() }
      }
    }
    for await _ in events { break }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    lock.release()
  }

  @Test func `a version that was removed comes back without a byte from a mirror`() async throws {
    try await client.install(try request(.never))
    let model = try client.model()
    try model.removeAll(holding: model.lockForInstall())
    let installed = try await client.install(try request(.never))
    #expect(installed.outcome.report == nil)
    #expect(installed.steps == ["returned", "alreadyInstalled", "activated"])
    #expect(try client.has(release))
  }

  @Test func `a version that was marked bad is installed by whoever names it, and the mark goes`()
    async throws
  {
    try await client.install(release)
    try client.model().markBad(name(), reason: "it lies", now: client.now)
    try await client.install(try request(.never))
    #expect(try client.model().badVersions().marks?.marks == [])
  }
}

/// A lock that another thread can let go of.
private final class HeldLock: Sendable {
  private let lock: Mutex<InstallLock?>

  init(_ lock: consuming InstallLock) { self.lock = Mutex(lock) }

  func release() { lock.withLock { $0 = nil } }

  func candidate(of model: borrowing StoredModel, for accepted: AcceptedManifest) throws
    -> Candidate
  {
    try lock.withLock { lock in
      switch lock {
      case .some(let lock): try model.candidate(for: accepted, holding: lock)
      case .none: throw StoreError.busy(model.name)
      }
    }
  }
}
