package import Digests
package import Transfers

/// One way in which a mirror does not serve a file as the manifest has it.
package enum MirrorProblem: Hashable, Sendable {
  // No answer.

  /// No name, no route, no connection, or no word on it.
  case unreachable(MirrorFault)
  /// The certificate is not accepted, or the other side speaks no TLS.
  case tls(MirrorFault)

  // Another answer.

  /// The answer says that the file is not there, not for everybody, or not now.
  case status(MirrorFault)
  /// Redirects that lead nowhere, in a circle, too far, or from https to http.
  case redirect(MirrorFault)
  /// The bytes come compressed.
  case contentCoding(String)
  /// A page instead of the file, with its first bytes.
  case html(String)
  /// What Git LFS leaves in place of a file.
  case lfsPointer
  /// An answer that breaks the rules of HTTP, or is of other bytes than were asked for.
  case malformed(MirrorFault)
  /// The bytes came to an end before their time.
  case cut(MirrorFault)
  /// A request for a range brings the whole file or a refusal.
  case noRange

  // Other bytes.

  /// Another size, although the file begins as it should: an upload that did not end, or something at its end.
  case sizeDiffers(found: Int, expected: Int)
  /// Another file, as a mirror has it that is behind: another size or digest, or several wrong chunks and
  /// among them fewer right bytes than a tenth of the wrong ones.
  case stale(Evidence)
  /// Chunks with wrong bytes among others that are right, or one alone.
  case wrongChunks([WrongChunk])
  /// The whole file, which has no table of chunks, has another digest.
  case wrongFile(found: SHA256Digest)

  /// What shows that a mirror has another file.
  package enum Evidence: Hashable, Sendable {
    case size(found: Int, expected: Int)
    case digest(announced: SHA256Digest)
    /// Nearly all bytes that were read are in wrong chunks; `read` counts the chunks that were read.
    case samples([WrongChunk], read: Int)
  }

  /// A chunk that a mirror has wrong.
  package struct WrongChunk: Hashable, Sendable {
    package let index: Int
    package let range: Range<Int>
    package let found: SHA256Digest

    package init(index: Int, range: Range<Int>, found: SHA256Digest) {
      self.index = index
      self.range = range
      self.found = found
    }
  }

  /// Whether the mirror gave no answer at all, so that asking it for other files would be in vain.
  package var isSilence: Bool {
    switch self {
    case .unreachable, .tls: true
    default: false
    }
  }

  /// Whether the mirror asks to be left alone.
  var isThrottling: Bool {
    if case .status(.throttled) = self { true } else { false }
  }

  /// What a fault says about a mirror.
  init(_ fault: MirrorFault) {
    if fault.isAboutTLS {
      self = .tls(fault)
      return
    }
    switch fault {
    case .unusableURL, .unresolvedName, .unresolvedProxy, .noRoute, .refusedConnection, .connection,
      .timedOut(.connect, _), .timedOut(.firstByte, _):
      self = .unreachable(fault)
    case .timedOut(.idle, _), .timedOut(.whole, _), .closedEarly: self = .cut(fault)
    case .certificate: self = .tls(fault)
    case .status, .throttled, .missing, .denied, .unreadable, .notAFile: self = .status(fault)
    case .contentCoding(let coding): self = .contentCoding(coding)
    case .html(let firstBytes): self = .html(firstBytes)
    case .malformedHead, .noContentRange, .otherRange, .otherLength, .severalParts, .tooLong:
      self = .malformed(fault)
    case .noRanges: self = .noRange
    case .tooManyRedirects, .redirectLoop, .redirectToHTTP, .redirectElsewhere:
      self = .redirect(fault)
    case .otherSize(let found, let expected):
      self = .stale(.size(found: found, expected: expected))
    case .otherDigest(let announced): self = .stale(.digest(announced: announced))
    case .wrongBytes(_, let found): self = .wrongFile(found: found)
    }
  }
}
