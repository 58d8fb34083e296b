package import Manifests
import SystemFiles
package import Transfers
package import Trust

/// One repository as a client follows it: the root that a person has pinned, and where its files may be had.
package struct Repository: Sendable {
  /// The bytes of the pinned root; its own expiry does not matter.
  package let pin: [UInt8]
  /// In the order of preference.
  package let mirrors: [RepositoryMirror]
  private let options: FetchOptions
  private let clocks: RepositoryClocks

  package init(
    pin: [UInt8],
    mirrors: [RepositoryMirror],
    options: FetchOptions,
    clocks: RepositoryClocks = RepositoryClocks()
  ) {
    self.pin = pin
    self.mirrors = mirrors
    self.options = clocks.applied(to: options)
    self.clocks = clocks
  }

  /// Follows the repository to its present state.
  ///
  /// Waits for other processes that use the same folder, and keeps them out for as long as the session lives. Each file
  /// is on the medium before the next one is asked for, so that a run that is killed or refused leaves a state from
  /// which the next one goes on.
  /// - Parameters:
  ///   - folder: Where the state is kept.
  ///   - now: The time by which everything is judged.
  /// - Returns: The present state, by which targets can be looked up.
  /// - Throws: ``RepositoryFault``, `SystemError` for this machine's own failures, `CancellationError`.
  package func refresh(
    _ folder: RepositoryFolder,
    now: Timestamp
  ) async throws -> RepositorySession {
    let (pin, network) = (pin, Network(mirrors, options, clocks))
    return try await network.run { source, goesOn in
      guard let lock = try folder.lock(while: goesOn) else { throw CancellationError() }
      var notes: [RepositoryNote] = []
      if let kept = try folder.keptTime(), kept.seconds - now.seconds > Self.clockTolerance {
        notes.append(.clockSetBack(now: now, kept: kept))
      }
      var run = RepositoryRun(source, folder)
      let trusted = try run.refresh(pin: pin, now: now)
      return RepositorySession(
        trusted,
        folder,
        lock: lock,
        network: network,
        preferred: run.preferred,
        notes: notes + run.troubles.map(RepositoryNote.mirror)
      )
    }
  }

  /// The difference of clocks, in seconds, that is not worth a word.
  private static let clockTolerance: Int64 = 24 * 60 * 60

  /// The state that is kept in a folder, verified again from the pinned root; makes no request and writes nothing.
  ///
  /// Another process may keep newer files meanwhile: it is not waited for.
  /// - Parameters:
  ///   - folder: Where the state is kept.
  ///   - now: The time by which everything is judged.
  ///   - ignoringExpiry: Whether what has expired will do, as for an audit.
  /// - Returns: The state that was kept.
  /// - Throws: ``RepositoryFault``, also where nothing was ever kept, and `SystemError`.
  package func stored(
    _ folder: RepositoryFolder,
    now: Timestamp,
    ignoringExpiry: Bool
  ) throws -> StoredRepository {
    do throws(MetadataRefusal) { _ = try RootChain(pin: pin, chain: []) } catch {
      throw RepositoryFault.badPin(error)
    }
    let trusted = try TrustedMetadata(
      settled: { try folder.stored(pin: pin) },
      ignoringExpiry: ignoringExpiry,
      now: now
    )
    return StoredRepository(trusted, folder)
  }
}

extension Repository {
  /// The pinned root and those that were kept after it, as they lie in the folder; nothing else is read.
  ///
  /// Quick, for a command that only needs to know whose signatures count.
  package func keptRoots(_ folder: RepositoryFolder) throws -> StoredMetadata {
    try folder.keptRoots(pin: pin)
  }
}

/// How the mirrors of one repository are reached, from a thread of its own each time.
struct Network: Sendable {
  private let mirrors: [RepositoryMirror]
  private let options: FetchOptions
  private let clocks: RepositoryClocks

  init(_ mirrors: [RepositoryMirror], _ options: FetchOptions, _ clocks: RepositoryClocks) {
    self.mirrors = mirrors
    self.options = options
    self.clocks = clocks
  }

  /// Runs `body` with the mirrors, and with a function that says no once the task is cancelled.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (MirrorSource, () -> Bool) throws -> Value
  ) async throws -> Value {
    let (mirrors, clocks) = (mirrors, clocks)
    return try await Fetcher(options: options).withDocuments { reader in
      try body(MirrorSource(mirrors, reader, clocks), { !reader.isStopped })
    }
  }
}
