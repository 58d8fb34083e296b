import Glibc
import Manifests
import SystemFiles

/// The right to fetch and check versions of one model; held for as long as the value lives.
package struct InstallLock: ~Copyable, Sendable {
  private let lock: FileLock

  init(_ lock: consuming FileLock) { self.lock = lock }
}

extension StoredModel {
  /// The tries and the pause between them that outlast a process which only looks whether the lock is held.
  private static let (lockTries, lockPause) = (5, UInt32(20_000))

  /// Takes the install lock, or throws `busy` if another process holds it.
  package func lockForInstall() throws -> InstallLock {
    for attempt in 1...Self.lockTries {
      if let lock = try tryInstallLock() { return InstallLock(lock) }
      if attempt < Self.lockTries { usleep(Self.lockPause) }
    }
    throw StoreError.busy(name)
  }

  private func tryInstallLock() throws(SystemError) -> FileLock? {
    do {
      return try FileLock.take(
        StoreLayout.installLock,
        in: folder,
        .exclusive,
        mode: StoreLayout.privateFile
      )
    } catch {
      throw error.beneath(path)
    }
  }

  /// Takes the right to change the state of this model, for as long as the value lives.
  ///
  /// Waits for another process: for moments, not for its downloads.
  func lockState() throws(SystemError) -> FileLock {
    do {
      return try FileLock.wait(
        for: StoreLayout.stateLock,
        in: folder,
        .exclusive,
        mode: StoreLayout.privateFile
      )
    } catch {
      throw error.beneath(path)
    }
  }

  /// Runs `change` while no other process changes the state of this model.
  func withStateLock<Value>(_ change: () throws -> Value) throws -> Value {
    let lock = try lockState()
    let value = try change()
    lock.release()
    return value
  }
}
