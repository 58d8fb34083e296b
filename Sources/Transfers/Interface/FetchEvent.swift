/// What happens while files are fetched; URLs come without user names, passwords and queries.
package enum FetchEvent: Hashable, Sendable {
  /// Bytes were verified, or arrived for a file without chunk table.
  case progress(FetchProgress)
  /// Bytes of an earlier run are hashed before they are believed.
  case checking(label: String, bytes: Int, of: Int)
  /// Bytes of an earlier run are right and will not be fetched.
  case resumed(label: String, bytes: Int)
  /// Bytes that other files of this machine had are right and will not be fetched.
  case reused(label: String, bytes: Int)
  /// How fast bytes are verified, told each second.
  case pace(FetchPace)
  /// The first request for the file goes to this mirror.
  case mirrorChosen(label: String, mirror: String)
  /// A mirror failed; the file goes on with another, or with this one later.
  case mirrorFault(label: String, mirror: String, fault: MirrorFault)
  /// A chunk whose bytes were wrong before came right from this mirror.
  case chunkRefetched(label: String, chunk: Int, mirror: String)
  /// No mirror can be asked now; the next attempt comes after this time.
  case waiting(label: String, duration: Duration)
  /// All bytes of the file are verified and on the medium.
  case verified(label: String)
}

/// How far a fetch is, over all its files.
package struct FetchProgress: Hashable, Sendable {
  /// The bytes that were verified; never falls.
  package let verified: Int
  /// The bytes at hand of a file that is verified only as a whole; back to 0 when that fails.
  package let pending: Int
  /// The bytes of all files.
  package let total: Int

  package init(verified: Int, pending: Int, total: Int) {
    self.verified = verified
    self.pending = pending
    self.total = total
  }
}

/// How fast a fetch is.
package struct FetchPace: Hashable, Sendable {
  /// The verified bytes a second over the last ten seconds.
  package let rate: Int
  /// What is left at this rate; nil while nothing comes.
  package let remaining: Duration?
  /// The right bytes of each mirror in this run, in the order of the requests.
  package let shares: [Share]

  package struct Share: Hashable, Sendable {
    package let mirror: String
    package let bytes: Int
  }
}
