package import Manifests
import SystemFiles

/// What a model looks like on disk now.
///
/// Computed each time from what is there; nothing is remembered.
package struct ModelStatus: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    case notDownloaded, downloading, verifying, ready, active, failed
  }

  /// How far a quick look without reading bytes can vouch for a version.
  package enum Proof: Hashable, Sendable {
    /// Every file is still the inode that was verified.
    case stamped
    /// A file has changed since it was verified, or is gone: `firstFile` says which.
    case changed(firstFile: RelativePath)
    /// Something was made, removed or renamed in a folder since, or its mode was changed: `files`, or one beneath it.
    case changedFolder(String)
    /// Files of it were read and are wrong.
    case damaged
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
    /// What was being done with it; nil where its journal is lost.
    package let journal: Journal?
  }

  package let model: ModelName
  package let record: RecordState
  package let versions: [StoredVersion]
  package let candidates: [StoredCandidate]
  /// The bytes of all that lies in staging.
  package let stagingBytes: Int
  package let bad: MarksState<BadVersions>
  package let pins: MarksState<PinnedVersions>
  /// Whether a process is known to fetch or check a version at this moment.
  ///
  /// A user who must not open the lock does not know.
  package let isBusy: Bool

  /// The one word for all of this.
  package var state: State {
    switch record {
    case .damaged: return .failed
    case .good(let record): return state(of: record.active.name)
    case .absent: break
    }
    if let state = candidateState, state != .failed { return state }
    if versions.contains(where: { $0.proof == .stamped }) { return .ready }
    return candidateState ?? (versions.isEmpty ? .notDownloaded : .failed)
  }

  /// Whether the active version is recorded and none of its bytes are here, as after a backup was restored.
  package var hasLostActive: Bool {
    guard let active = record.record?.active.name else { return false }
    return !versions.contains { $0.name == active }
  }

  private func state(of active: VersionName) -> State {
    guard let version = versions.first(where: { $0.name == active }) else {
      guard let candidate = candidates.first(where: { $0.name == active }) else {
        return .notDownloaded
      }
      return Self.state(of: candidate)
    }
    let isBad = bad.marks?.mark(of: active) != nil
    return version.proof == .stamped && !isBad ? .active : .failed
  }

  private var candidateState: State? {
    let states = candidates.map(Self.state)
    return states.first { $0 != .failed } ?? states.first
  }

  private static func state(of candidate: StoredCandidate) -> State {
    switch candidate.journal?.phase {
    case .download, nil: .downloading
    case .verify: .verifying
    case .failed: .failed
    }
  }
}
