import Digests
import Manifests
package import ModelStore
import SystemFiles
import Transfers
import Trust

/// What an install would take, told without changing anything.
package struct InstallForecast: Hashable, Sendable {
  package let name: VersionName
  /// The bytes of all files of the release.
  package let size: Int
  /// Whether the version is there already, as far as a look without reading bytes can tell.
  package let isInstalled: Bool
  /// The bytes that an interrupted run had received when it last said so.
  package let begunBytes: Int
  /// The bytes of chunks that other installed versions should have.
  package let reusableBytes: Int
  /// The bytes that must be free on disk before the fetch begins.
  package let neededBytes: Int
  /// The bytes that are free there.
  package let freeBytes: Int

  /// The most bytes that mirrors will be asked for, as long as what is on disk is right.
  package var fetchedBytes: Int {
    isInstalled ? 0 : max(0, size - max(reusableBytes, begunBytes))
  }

  /// How many bytes are missing on disk; 0 if there is room.
  package var missingRoom: Int { isInstalled ? 0 : max(0, neededBytes - freeBytes) }
}

extension Installer {
  /// Says what ``install(into:)`` would take from mirrors and disk; reads no bytes of model files and writes nothing.
  ///
  /// - Parameter path: The folder of the store, which need not be there.
  /// - Returns: The forecast.
  /// - Throws: What would refuse the release before its fetch begins: ``InstallError``, `TrustError`, `StoreError`; and
  ///   `SystemError`.
  package func forecast(in path: String) throws -> InstallForecast {
    if request.activates { try release.requireRuntime(request.runtimes) }
    if !request.allowsCode { try release.requireNoCode() }
    let name = VersionName(version: release.version, manifest: request.accepted.digest)
    let free = try Self.freeSpace(at: path)
    var (isInstalled, onDisk, begun) = (false, 0, 0)
    if let store = try Store.open(reading: path), try store.modelNames().contains(release.model) {
      let model = try store.model(release.model)
      if request.activates { try checkDowngrade(in: model) }
      let status = try model.status()
      isInstalled = status.versions.contains { $0.name == name && $0.proof == .stamped }
      onDisk = status.candidates.first { $0.name == name }?.bytesOnDisk ?? 0
      if onDisk > 0, let progress = model.progress(of: name) {
        begun = progress.phase == .verify ? release.size : progress.done
      }
    }
    return InstallForecast(
      name: name,
      size: release.size,
      isInstalled: isInstalled,
      begunBytes: begun,
      reusableBytes: reusableBytes(),
      neededBytes: StoredModel.bytesNeeded(for: release, onDisk: onDisk),
      freeBytes: free
    )
  }

  private func reusableBytes() -> Int {
    let places = localChunks(for: release.files, damaged: nil)
    return zip(release.files, places).reduce(0) { sum, file in
      guard let table = file.0.chunks else { return sum + (file.1.isEmpty ? 0 : file.0.size) }
      let found = Set(file.1.map(\.chunk))
      return table.chunks.enumerated().reduce(sum) {
        found.contains($1.offset) ? $0 + $1.element.length : $0
      }
    }
  }

  /// The room where the store is, or would be made.
  private static func freeSpace(at path: String) throws -> Int {
    var place = path
    while try !Folder.exists(place) {
      let parent = splitPath(place).folder
      guard parent != place else { break }
      place = parent
    }
    return try Folder(path: place).freeSpace().bytes
  }
}
