/// What a user interface shows of a model: one of these at every moment.
public enum InstallState: Hashable, Sendable {
  /// No version is on this machine, and none is on its way.
  case notDownloaded
  /// Bytes are fetched: the part of them that is here and verified, the rate in bytes a second, and the time that is left.
  ///
  /// Rate and time are nil while nobody can tell, and where another process does the work.
  case downloading(fraction: Double, rate: Int?, eta: Duration?)
  /// All bytes are here, and this part of them was checked as it lies on disk.
  case verifying(fraction: Double)
  /// This version is here and verified, and no version is active.
  case ready(version: String)
  /// This version is active; programs load it.
  case active(version: String)
  /// The last install, or the active version, is not as it should be; the version that was active before still is.
  case failed(ModelFailure)

  /// Whether work is going on.
  public var isBusy: Bool {
    switch self {
    case .downloading, .verifying: true
    case .notDownloaded, .ready, .active, .failed: false
    }
  }
}

/// The states of one install, from its beginning or from where it is now, to its end.
///
/// The last state is ``InstallState/active(version:)``, ``InstallState/ready(version:)`` or ``InstallState/failed(_:)``. A
/// reader that falls behind gets the newest states. Who stops reading stops nothing: `cancel` of ``ModelLibrary`` does.
public struct InstallStates: AsyncSequence, Sendable {
  /// One state.
  public typealias Element = InstallState
  /// A sequence of states does not fail: failures are states.
  public typealias Failure = Never

  private let stream: AsyncStream<InstallState>

  init(_ stream: AsyncStream<InstallState>) { self.stream = stream }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator())
  }

  /// Reads all states to the end, and returns the last one.
  public func last() async -> InstallState? {
    var last: InstallState?
    for await state in stream { last = state }
    return last
  }

  /// Reads one state after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<InstallState>.Iterator

    /// Waits for the next state; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> InstallState? {
      await base.next(isolation: actor)
    }

    /// Waits for the next state; nil at the end.
    public mutating func next() async -> InstallState? { await base.next(isolation: #isolation) }
  }
}
