package import Digests

/// What each mirror did in a fetch.
package struct FetchReport: Hashable, Sendable {
  /// One mirror's share, for one line of a message.
  package struct Mirror: Hashable, Sendable {
    /// The mirror without user name, password and query.
    package let name: String
    /// The bytes received that were verified.
    package var goodBytes = 0
    /// The bytes received that were wrong, unfinished or there already.
    package var wastedBytes = 0
    /// How often the mirror failed in which way.
    package var faults: [MirrorFault.Kind: Int] = [:]
    package var lastFault: MirrorFault?

    package init(name: String) { self.name = name }
  }

  /// The mirrors in the order in which the requests name them.
  package var mirrors: [Mirror] = []
  /// The bytes of earlier runs that were right.
  package var resumedBytes = 0
  /// The bytes that other files of this machine had.
  package var reusedBytes = 0
  /// Whether several mirrors gave the same wrong bytes: they agree with each other, not with the caller.
  package var mirrorsAgreeOnWrongBytes = false

  /// The chunks that were read back from the medium behind their writing, by the name of the request.
  package var readBack: [String: ReadBack] = [:]

  package init() {}
}
