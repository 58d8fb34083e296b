import SystemFiles

/// The right to fetch and check versions of one model; held for as long as the value lives.
package struct InstallLock: ~Copyable, Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) { self.lock = lock }

  /// Lets go of the right, which is held until here even though nothing else uses the value.
  package consuming func release() {}
}
