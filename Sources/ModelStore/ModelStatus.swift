package import Manifests
import SystemFiles

/// What a model looks like on disk now.
///
/// Computed each time from what is there; nothing is remembered.
package struct ModelStatus: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    case notDownloaded, downloading, ready, active, failed
  }

  /// How far a quick look without reading bytes can vouch for a version.
  package enum Proof: Hashable, Sendable {
    /// Every file is still the inode that was verified.
    case stamped
    /// A file has changed since it was verified, or is gone: `firstFile` says which.
    case changed(firstFile: RelativePath)
    /// It was never verified to its end, or the proof is lost.
    case unproven
  }

  package struct StoredVersion: Hashable, Sendable {
    package let name: VersionName
    package let proof: Proof
  }

  package struct StoredCandidate: Hashable, Sendable {
    package let name: VersionName
    /// The bytes that it takes on disk, of which not all need be right.
    package let bytesOnDisk: Int
  }

  package let model: ModelName
  package let record: RecordState
  package let versions: [StoredVersion]
  package let candidates: [StoredCandidate]
  /// Whether a process is known to fetch or check a version at this moment.
  ///
  /// A user who must not open the lock does not know.
  package let isBusy: Bool

  /// The one word for all of this.
  package var state: State {
    switch record {
    case .damaged: return .failed
    case .good(let record):
      let active = versions.first { $0.name == record.active.name }
      return active?.proof == .stamped ? .active : .failed
    case .absent: break
    }
    if !candidates.isEmpty { return .downloading }
    return versions.isEmpty ? .notDownloaded : .ready
  }
}

extension StoredModel {
  /// Looks at the model without a lock and without writing; reads no bytes of model files.
  package func status() throws -> ModelStatus {
    ModelStatus(
      model: name,
      record: try recordState(),
      versions: try versionNames().map {
        ModelStatus.StoredVersion(name: $0, proof: try proof(of: $0))
      },
      // What another process takes away meanwhile is not there.
      candidates: try candidateNames().compactMap { name in
        (try? candidateSize(name)).map { .init(name: name, bytesOnDisk: $0) }
      },
      isBusy: try folder.isLocked(StoreLayout.installLock)
    )
  }

  private func proof(of name: VersionName) throws -> ModelStatus.Proof {
    guard let stamp = try stamp(of: name), name.belongs(to: stamp.manifest) else {
      return .unproven
    }
    let place = "\(StoreLayout.versions)/\(name.text)/\(StoreLayout.files)"
    guard let files = try? folder.openFolder(place) else { return .unproven }
    for file in stamp.files {
      guard let status = try? files.openFile(file.path.text).status(),
        Stamp.File(path: file.path, status: status) == file
      else { return .changed(firstFile: file.path) }
    }
    return .stamped
  }

  private func candidateSize(_ name: VersionName) throws -> Int {
    try folder.openFolder(StoreLayout.staging).openFolder(name.text).allocatedSize()
  }
}
