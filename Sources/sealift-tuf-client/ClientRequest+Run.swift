import CommandLineKit
import Glibc
import Manifests
import Repositories
import SystemFiles
import Transfers
import Trust

extension ClientRequest {
  /// The initial root, byte for byte, which stays when later ones are accepted.
  private static let pin = "pin"
  /// More than a root may have, so that the first refresh and not the copying refuses one that is too long.
  private static let pinLimit = MetadataLimits.standard.targets

  func run() async throws {
    switch action {
    case .begin(let file): try begin(file)
    case .refresh(let metadata):
      _ = try await refresh(RepositoryMirror(metadata: metadata, targets: metadata))
    case .download(let targets, let metadata, let base, let place):
      let mirror = RepositoryMirror(metadata: metadata, targets: base)
      let session = try await refresh(mirror, documents: try Folder(creating: place, mode: 0o755))
      for target in targets { try await download(target, session) }
    }
  }

  /// Copies the root, good or bad; the first refresh judges it.
  private func begin(_ file: String) throws {
    let bytes = try OpenFile(reading: file).readAll(limit: Self.pinLimit)
    let folder = try Folder(creating: self.folder, mode: 0o755)
    try folder.replaceFile(Self.pin, with: bytes, mode: 0o644)
    try folder.replaceFile(RoleName.root.fileName, with: bytes, mode: 0o644)
  }

  private func refresh(
    _ mirror: RepositoryMirror,
    documents: consuming Folder? = nil
  ) async throws -> RepositorySession {
    let folder = try Folder(path: self.folder)
    guard let pin = try folder.readFile(Self.pin, limit: Self.pinLimit) else {
      throw UsageError("\(self.folder) has no initial root; init comes first")
    }
    guard let now = Timestamp(seconds: Int64(time(nil))) else {
      throw UsageError("the clock of this machine shows a year that no date has")
    }
    var options = FetchOptions()
    options.userAgent = "sealift-tuf-client"
    let repository = Repository(pin: pin, mirrors: [mirror], options: options)
    let modes = RepositoryFolder.Modes(folder: 0o755, file: 0o644, lockFile: 0o600)
    return try await repository.refresh(
      RepositoryFolder(folder, documents: documents, modes: modes),
      now: now
    )
  }

  private func download(_ target: String, _ session: RepositorySession) async throws {
    guard let path = TargetPath(target), let found = try await session.find(path) else {
      throw Diagnostic(.notFound, "the repository has no target \(target)")
    }
    _ = try await session.document(found)
  }
}

/// Puts what went wrong into words.
@Sendable func explain(_ error: any Error) -> Diagnostic {
  switch error {
  case let fault as RepositoryFault:
    Diagnostic(.notAccepted, fault.description, notes: fault.troubles.map(\.description))
  case let error as SystemError:
    Diagnostic(.localFailure, "\(error.subject ?? error.call): \(error.reason)")
  case let error as FetchError:
    if case .local(let cause) = error.kind {
      explain(cause)
    } else {
      Diagnostic(.network, "a file could not be had")
    }
  case is CancellationError: Diagnostic(.interrupted, "interrupted")
  default: Diagnostic(.internalError, "\(error)")
  }
}
