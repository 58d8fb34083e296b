import SystemFiles

extension MirrorFault {
  /// The classes in which faults are counted.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case offline, transient, throttled, missing, auth, certificate, integrity, noRanges
    case protocolViolation = "protocol"
  }

  package var kind: Kind {
    switch self {
    case .unresolvedName, .unresolvedProxy, .noRoute: .offline
    case .refusedConnection, .timedOut, .closedEarly, .connection: .transient
    case .status(let status): status == 408 || status >= 500 ? .transient : .protocolViolation
    case .throttled: .throttled
    case .missing: .missing
    case .unreadable(let error): error.isNotFound ? .missing : .protocolViolation
    case .denied: .auth
    case .certificate: .certificate
    case .wrongBytes, .otherDigest: .integrity
    case .noRanges: .noRanges
    case .unusableURL, .notAFile, .contentCoding, .html, .malformedHead, .noContentRange,
      .otherRange,
      .otherSize, .otherLength, .severalParts, .tooLong, .tooManyRedirects, .redirectLoop,
      .redirectToHTTP, .redirectElsewhere:
      .protocolViolation
    }
  }

  /// What a fault means for the requests that follow.
  enum Reaction: Hashable, Sendable {
    /// Ask others first, this one after a pause.
    case cool
    /// Leave the mirror alone, at least for the time that it asks for.
    case throttle(Duration?)
    /// Ask this mirror no more for this file.
    case suspendForFile
    /// Ask this mirror no more.
    case suspendForRun
    /// Ask this mirror no more for these bytes.
    case rejectPiece
    /// Ask this mirror for whole files only, after all others.
    case askWhole
  }

  var reaction: Reaction {
    switch self {
    case .contentCoding, .html: return .suspendForRun
    case .throttled(_, let pause): return .throttle(pause)
    case .wrongBytes: return .rejectPiece
    default: break
    }
    return switch kind {
    case .offline, .transient: .cool
    case .throttled: .throttle(nil)
    case .auth, .certificate: .suspendForRun
    case .missing, .protocolViolation, .integrity: .suspendForFile
    case .noRanges: .askWhole
    }
  }
}
