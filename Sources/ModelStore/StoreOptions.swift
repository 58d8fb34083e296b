import SystemFiles

/// How a person wants a store to be used, besides what the store itself says.
package struct StoreOptions: Hashable, Sendable {
  package enum Locking: Hashable, Sendable {
    case kernel
    /// Nobody is kept out; for file systems whose locks do not work, and one user at a time.
    case none
  }

  /// The number of the group that shares the store; nil for a store of one user.
  package var sharedGroup: UInt32?
  package var locking = Locking.kernel
  /// Whether `current` points at the active version.
  package var hasLink = true

  package init() {}
}

/// Who may do what in a store, from which follow the permission bits of everything in it.
///
/// The mode of the root tells it, so a store that is moved or copied with its modes stays what it was.
enum StoreKind: Hashable, Sendable {
  /// Everything is one user's.
  case user
  /// One user writes, everybody reads: `0755`.
  case system
  /// The members of a group write: `02770`.
  case group

  /// What the mode of a root says; ownership is another question.
  init(rootMode mode: UInt32) {
    self = mode & 0o2070 == 0o2070 ? .group : mode & 0o005 == 0o005 ? .system : .user
  }

  var folder: UInt32 {
    switch self {
    case .user: 0o700
    case .system: 0o755
    case .group: 0o2770
    }
  }

  /// What nobody but writers looks into: candidates and trash.
  var workFolder: UInt32 { self == .group ? 0o2770 : 0o700 }

  /// Whoever may read a lock file can lock it, and so keep its owner out.
  var lockFile: UInt32 { self == .group ? 0o660 : 0o600 }

  /// Everybody who reads a version may say so.
  var leaseFile: UInt32 { self == .group ? 0o660 : 0o644 }

  var stateFile: UInt32 {
    switch self {
    case .user: 0o600
    case .system: 0o644
    case .group: 0o660
    }
  }

  var workFile: UInt32 { self == .group ? 0o660 : 0o600 }

  /// A folder that its owner must not write cannot be given another parent by another member of the group.
  var publishedFolder: UInt32 { self == .group ? 0o2770 : 0o555 }

  var publishedFile: UInt32 { self == .group ? 0o440 : 0o444 }
}

extension StoreKind {
  /// Judges a root that is to be written.
  ///
  /// Throws `unsafeOwnership` for one that others can write or that is somebody else's, `notShared` for one that is to
  /// be shared and is not, or not with this group.
  init(of root: FileStatus, _ options: StoreOptions, at path: String) throws(StoreError) {
    let kind = StoreKind(rootMode: root.mode)
    let problem = StoreError.unsafeOwnership(path: path, owner: root.owner, mode: root.mode)
    guard root.mode & 0o002 == 0 else { throw problem }
    if let group = options.sharedGroup {
      guard kind == .group, root.group == group else {
        throw .notShared(path: path, group: group, mode: root.mode)
      }
    } else {
      guard root.owner == FileStatus.currentUser, root.mode & 0o020 == 0 else { throw problem }
    }
    self = kind
  }
}
