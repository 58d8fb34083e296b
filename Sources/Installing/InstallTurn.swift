import ModelStore

/// What an install does while another process is at work on the same model.
package enum InstallWaiting: Hashable, Sendable {
  /// It ends at once.
  case never
  /// It waits for an install of the same release, and shows its progress.
  case forSameRelease
  /// It waits for whatever it is.
  case forAnything
}

extension StoredModel {
  /// The tries that outlast a process which only looks, or has not said yet what it does.
  private static let firstTries = 10
  private static let (firstPause, pause) = (Duration.milliseconds(20), Duration.milliseconds(100))

  /// Takes the install lock for `version`, after whoever holds it if that may be waited for.
  ///
  /// - Parameters:
  ///   - version: What is to be installed.
  ///   - waiting: What may be waited for.
  ///   - report: Called with each event of the wait.
  /// - Returns: The lock.
  /// - Throws: `StoreError.busy`, or `CancellationError`.
  func takeInstallTurn(
    of version: VersionName,
    _ waiting: InstallWaiting,
    report: @Sendable (InstallEvent) -> Void
  ) async throws -> InstallLock {
    var tries = 0
    while true {
      if let lock = try takeInstallLock(of: version) { return lock }
      tries += 1
      if tries <= Self.firstTries {
        try await Task.sleep(for: Self.firstPause)
        continue
      }
      let holder = installHolder()
      let mayWait =
        waiting == .forAnything || (waiting == .forSameRelease && holder?.version == version)
      guard mayWait else { throw StoreError.busy(name) }
      if tries == Self.firstTries + 1 { report(.attached(holder)) }
      if let version = holder?.version, let progress = progress(of: version) {
        report(.attachedProgress(progress))
      }
      try await Task.sleep(for: Self.pause)
    }
  }
}
