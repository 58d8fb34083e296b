import Glibc
import SystemFiles

extension StoredModel {
  /// The tries and the pause between them that outlast a process which only looks whether the lock is held.
  private static let (lockTries, lockPause) = (5, UInt32(20_000))

  /// Takes the install lock, or throws `busy` if another process holds it.
  ///
  /// Those who ask meanwhile are told which version is to be installed.
  package func lockForInstall(of version: VersionName? = nil) throws -> InstallLock {
    for attempt in 1...Self.lockTries {
      if let lock = try takeInstallLock(of: version) { return lock }
      if attempt < Self.lockTries { usleep(Self.lockPause) }
    }
    throw StoreError.busy(name)
  }

  /// Takes the install lock if it is free; nil if another process holds it.
  package func takeInstallLock(of version: VersionName? = nil) throws -> InstallLock? {
    guard options.locking == .kernel else { return InstallLock(.absent()) }
    do {
      let lock = try FileLock.take(
        StoreLayout.installLock,
        in: folder,
        .exclusive,
        mode: kind.lockFile
      )
      guard let lock else { return nil }
      // A full disk must not keep anybody from making room; the note is for messages.
      if let version { try? lock.note(InstallHolder(of: version).bytes) }
      return InstallLock(lock)
    } catch {
      throw lockFailure(error, StoreLayout.installLock)
    }
  }

  /// What the last process that took the install lock for an install said of itself; nil if that cannot be told.
  package func installHolder() -> InstallHolder? {
    let bytes = try? folder.readFile(StoreLayout.installLock, limit: StoreLayout.recordLimit)
    return bytes.flatMap { $0 }.flatMap(InstallHolder.init)
  }

  /// Takes the right to change the state of this model, for as long as the value lives.
  ///
  /// Waits for another process: for moments, not for its downloads. Throws `CancellationError` when the task is
  /// cancelled meanwhile.
  func lockState() throws -> FileLock {
    guard options.locking == .kernel else { return .absent() }
    do {
      let lock = try FileLock.wait(
        for: StoreLayout.stateLock,
        in: folder,
        .exclusive,
        mode: kind.lockFile,
        while: { !Task.isCancelled }
      )
      if let lock { return lock }
    } catch {
      throw lockFailure(error, StoreLayout.stateLock)
    }
    throw CancellationError()
  }

  private func lockFailure(_ error: SystemError, _ file: String) -> any Error {
    StoreError.lockFailure(error, at: "\(path)/\(file)", beneath: path)
  }

  /// Runs `change` while no other process changes the state of this model.
  func withStateLock<Value>(_ change: () throws -> Value) throws -> Value {
    let lock = try lockState()
    let value = try change()
    lock.release()
    return value
  }
}
