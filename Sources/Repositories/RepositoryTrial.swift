package import Manifests
import Transfers
package import Trust

/// The client's whole way through a repository, over files from anywhere, that leaves nothing behind.
///
/// Made for a publisher who wants to know what clients will say before they see it. Runs the same code as they do.
package struct RepositoryTrial {
  /// Reads the file at a path such as `metadata/2.root.json`, of which more than this many bytes are never needed; nil if
  /// there is none.
  package typealias Reading = (_ path: String, _ limit: Int) throws -> [UInt8]?

  /// What was verified.
  package let metadata: TrustedMetadata
  private let keeper = MemoryKeeper()
  private let source: ReadingSource

  /// Follows the repository from a root to its present state.
  ///
  /// - Throws: ``RepositoryFault``, and whatever `read` throws.
  package init(pin: [UInt8], now: Timestamp, read: @escaping Reading) throws {
    source = ReadingSource(read: read)
    var run = RepositoryRun(source, keeper)
    metadata = try run.refresh(pin: pin, now: now)
  }

  /// Looks a target up; nil if the repository has none of this path.
  package func find(_ path: TargetPath) throws -> FoundTarget? {
    var run = RepositoryRun(source, keeper)
    return try run.find(path, in: metadata)
  }

  /// The bytes of a target, whose length and digests are verified.
  package func document(
    _ target: FoundTarget,
    limit: Int = MetadataLimits.standard.target
  ) throws -> [UInt8] {
    var run = RepositoryRun(source, keeper)
    return try run.document(target, in: metadata, limit: limit)
  }
}

private struct ReadingSource: FileSource {
  let read: RepositoryTrial.Reading
  let mirrors = ["the tree"]

  func read(_ place: FilePlace, limit: Int, from mirror: Int) throws -> FileAnswer {
    let path =
      switch place {
      case .metadata(let name): "metadata/\(name)"
      case .target(let path): "targets/\(path)"
      }
    guard let bytes = try read(path, limit) else { return .absent(.missing(status: 404)) }
    return bytes.count > limit ? .tooLong(.tooLong(limit: limit)) : .bytes(bytes)
  }
}
