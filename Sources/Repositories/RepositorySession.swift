import Synchronization
package import SystemFiles
package import Trust

/// A repository in its present state, until the value ends: targets can be looked up and fetched.
///
/// Everything is judged by the time of the refresh.
package final class RepositorySession: Sendable {
  /// What was verified: versions, expiries, and the targets that the repository itself lists.
  package let metadata: TrustedMetadata
  private let folder: RepositoryFolder
  /// Keeps other processes out of the folder.
  private let lock: FileLock
  private let network: Network
  private let collected: Mutex<[RepositoryNote]>
  /// The mirror that served last, which is asked first.
  private let preferred: Mutex<Int>

  init(
    _ metadata: TrustedMetadata,
    _ folder: RepositoryFolder,
    lock: consuming FileLock,
    network: Network,
    preferred: Int,
    notes: [RepositoryNote]
  ) {
    self.metadata = metadata
    self.folder = folder
    self.lock = lock
    self.network = network
    self.preferred = Mutex(preferred)
    collected = Mutex(notes)
  }

  /// What a person may want to know although all went well, such as a mirror that has an old state.
  package var notes: [RepositoryNote] { collected.withLock { $0 } }

  /// Looks a target up; loads the delegated roles that lead to it.
  ///
  /// - Returns: The target; nil if the repository has none of this path.
  /// - Throws: ``RepositoryFault`` where a role that the search needs cannot be had or is refused.
  package func find(_ path: TargetPath) async throws -> FoundTarget? {
    try await run { [metadata] run in try run.find(path, in: metadata) }
  }

  /// The bytes of a target, whose length and digests are verified.
  ///
  /// Bytes that are kept and still right are returned without a request.
  /// - Parameters:
  ///   - target: As ``find(_:)`` gave it.
  ///   - limit: The most bytes that it may have.
  /// - Returns: The bytes.
  /// - Throws: ``RepositoryFault``, `SystemError` for this machine's own failures, `CancellationError`.
  package func document(
    _ target: FoundTarget,
    limit: Int = MetadataLimits.standard.target
  ) async throws -> [UInt8] {
    try await run { [metadata] run in try run.document(target, in: metadata, limit: limit) }
  }

  /// Keeps a document that the caller has accepted by rules of its own, such as the floor of its versions.
  ///
  /// Other processes are kept out until it is on the medium.
  /// - Parameters:
  ///   - bytes: The document.
  ///   - name: The name of a file, by which ``RepositoryFolder/accepted(_:limit:)`` finds it.
  /// - Throws: `SystemError`.
  package func keepAccepted(_ bytes: [UInt8], as name: String) throws(SystemError) {
    defer { withExtendedLifetime(self) {} }
    try folder.keepAccepted(bytes, as: name)
  }

  private func run<Value: Sendable>(
    _ body:
      @escaping @Sendable (inout RepositoryRun<MirrorSource>) throws ->
      Value
  ) async throws -> Value {
    let folder = folder
    let first = preferred.withLock { $0 }
    let (value, troubles, served) = try await network.run { source, _ in
      var run = RepositoryRun(source, folder, preferred: first)
      let value = try body(&run)
      return (value, run.troubles, run.preferred)
    }
    preferred.withLock { $0 = served }
    collected.withLock { $0 += troubles.map(RepositoryNote.mirror) }
    return value
  }
}

/// A repository as it was when it was last reached: what is kept can be looked up, and nothing is asked for.
package struct StoredRepository: Sendable {
  /// What was verified again.
  package let metadata: TrustedMetadata
  private let folder: RepositoryFolder

  init(_ metadata: TrustedMetadata, _ folder: RepositoryFolder) {
    self.metadata = metadata
    self.folder = folder
  }

  /// Looks a target up in the roles that are kept.
  ///
  /// - Throws: ``RepositoryFault/notKept(file:)`` where the search needs a role that is not.
  package func find(_ path: TargetPath) throws -> FoundTarget? {
    var run = RepositoryRun(NoSource(), folder)
    return try run.find(path, in: metadata)
  }

  /// The bytes of a target that are kept, if they are still right.
  ///
  /// - Throws: ``RepositoryFault/notKept(file:)`` where they are not.
  package func document(
    _ target: FoundTarget,
    limit: Int = MetadataLimits.standard.target
  ) throws -> [UInt8] {
    var run = RepositoryRun(NoSource(), folder)
    return try run.document(target, in: metadata, limit: limit)
  }
}

/// Stands for mirrors where none may be asked.
private struct NoSource: FileSource {
  let mirrors = ["this machine"]

  func read(_ place: FilePlace, limit: Int, from mirror: Int) throws -> FileAnswer {
    throw RepositoryFault.notKept(file: place.name)
  }
}
