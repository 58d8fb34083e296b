import Transfers

/// Where a file of a repository lies, beneath what a mirror calls its metadata or its targets.
enum FilePlace: Hashable, Sendable {
  /// The name of a metadata file, as it stands in a URL.
  case metadata(String)
  /// The path of a target, as it stands in a URL.
  case target(String)

  /// The name for messages.
  var name: String {
    switch self {
    case .metadata(let name), .target(let name): name
    }
  }
}

/// What asking one mirror for one file came to.
enum FileAnswer: Sendable {
  case bytes([UInt8])
  /// The mirror says that there is no such file.
  case absent(MirrorFault)
  /// The file is longer than it may be.
  case tooLong(MirrorFault)
  /// Nothing is known: the transfer failed.
  case failed(MirrorFault)
}

/// Mirrors of one repository, or what stands in for them.
protocol FileSource {
  /// The names of the mirrors for messages, in the order of preference.
  var mirrors: [String] { get }

  /// Asks one mirror for one file, of which more than `limit` bytes are never taken.
  ///
  /// Throws what ends the whole run, such as a `CancellationError`.
  func read(_ place: FilePlace, limit: Int, from mirror: Int) throws -> FileAnswer
}
