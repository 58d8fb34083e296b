package import SystemFiles

/// Says to garbage collection that somebody uses a version; the kernel takes it back when the last holder ends.
///
/// The lease of a version that is not there yet keeps it from the moment it is.
package struct VersionLease: ~Copyable, Sendable {
  package let name: VersionName
  private let lock: FileLock?

  init(_ name: VersionName, _ lock: consuming FileLock?) {
    self.name = name
    self.lock = lock
  }

  /// Whether the lease is held; it cannot be where the store must not be written and has none, or without locks.
  package var isHeld: Bool {
    switch lock {
    case .some: true
    case .none: false
    }
  }

  /// Hands the lease to the program that takes this process's place.
  package func keepAcrossExec() throws(SystemError) {
    switch lock {
    case .some(let lock): try lock.keepAcrossExec()
    case .none: break
    }
  }

  /// Gives the lease back, which is held until here even though nothing else uses the value.
  package consuming func release() {}
}
