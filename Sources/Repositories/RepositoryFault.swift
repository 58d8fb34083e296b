package import Manifests
package import Transfers
package import Trust

/// Why a repository could not be followed, or a target not be had.
package enum RepositoryFault: Error, Equatable, Sendable {
  /// The pinned root is none; no request was made.
  case badPin(MetadataRefusal)
  /// A rule refuses what the mirrors have, or do not have; `file` is nil where it is what was stored that is refused.
  case refused(MetadataRefusal, file: String?, troubles: [MirrorTrouble])
  /// Nothing was ever had of the repository, and every mirror says that it has no such file: the URL is likely wrong.
  case noRepository(file: String, troubles: [MirrorTrouble])
  /// No mirror gave the file.
  case unreachable(file: String, troubles: [MirrorTrouble])
  /// The bytes of a target are wrong at every mirror that has any.
  case wrongTarget(TargetPath, troubles: [MirrorTrouble])
  /// The target is longer than the caller takes.
  case longTarget(TargetPath, length: Int, limit: Int)
  /// Offline, a file is needed that was never kept.
  case notKept(file: String)
}

/// What a mirror did wrong with one file, although others may have had it.
package struct MirrorTrouble: Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    case fault(MirrorFault)
    case refused(MetadataRefusal)
    /// The file is right, and older than what another mirror has.
    case behind
  }

  /// The mirror, without what is secret in its URL.
  package let mirror: String
  /// The name as it was asked for.
  package let file: String
  package let cause: Cause

  package init(mirror: String, file: String, cause: Cause) {
    self.mirror = mirror
    self.file = file
    self.cause = cause
  }
}

/// What a person may want to know of a run that went well all the same.
package enum RepositoryNote: Equatable, Sendable {
  case mirror(MirrorTrouble)
  /// The clock shows an earlier time than when the metadata was kept: what has expired since may pass for fresh.
  case clockSetBack(now: Timestamp, kept: Timestamp)
}

extension RepositoryFault: CustomStringConvertible {
  /// One line in plain words; fit for a terminal.
  package var description: String {
    switch self {
    case .badPin(let refusal): "the pinned root cannot be used: \(refusal)"
    case .refused(let refusal, let file?, _): "\(escaped(file)): \(refusal)"
    case .refused(let refusal, nil, _): "\(refusal)"
    case .noRepository: "there is no repository at any of its URLs (TUF 5.4.1: no timestamp)"
    case .unreachable(let file, _): "no mirror gave \(escaped(file))"
    case .wrongTarget(let path, _): "no mirror has the right bytes of \(path)"
    case .longTarget(let path, let length, let limit):
      "\(path) has \(length) bytes, more than \(limit)"
    case .notKept(let file): "\(escaped(file)) is not kept on this machine"
    }
  }

  /// Whether old metadata was refused while another mirror could not be asked, which may have the present one.
  package var mayPass: Bool {
    guard case .refused(let refusal, _, let troubles) = self,
      refusal.kind == .rollback || refusal.kind == .expired
    else { return false }
    return troubles.contains { trouble in
      guard case .fault(let fault) = trouble.cause else { return false }
      return !fault.isAbsence
    }
  }

  /// What each mirror did.
  package var troubles: [MirrorTrouble] {
    switch self {
    case .refused(_, _, let troubles), .noRepository(_, let troubles),
      .unreachable(_, let troubles), .wrongTarget(_, let troubles):
      troubles
    case .badPin, .longTarget, .notKept: []
    }
  }
}

extension MirrorTrouble: CustomStringConvertible {
  /// One line in plain words; fit for a terminal.
  package var description: String {
    let words =
      switch cause {
      case .fault(let fault): fault.description
      case .refused(let refusal): refusal.description
      case .behind: "older than what another mirror has"
      }
    return "\(escaped(mirror)): \(escaped(file)): \(words)"
  }
}

extension RepositoryNote: CustomStringConvertible {
  /// One line in plain words; fit for a terminal.
  package var description: String {
    switch self {
    case .mirror(let trouble): trouble.description
    case .clockSetBack(let now, let kept):
      "the clock of this machine shows \(now), but metadata was kept at \(kept)"
    }
  }
}
