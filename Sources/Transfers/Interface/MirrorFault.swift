package import Digests
package import SystemFiles

/// One thing that a mirror did wrong.
package enum MirrorFault: Error, Hashable, Sendable {
  /// The URL is not one that can be asked; the reason is libcurl's or ours.
  case unusableURL(String)
  case unresolvedName(host: String)
  /// The proxy that is to be used has no address, so that the mirror was not reached; the reason names it.
  case unresolvedProxy(reason: String)
  case noRoute(String)
  case refusedConnection(String)
  case timedOut(Stage, after: Duration)
  /// The connection ended early; `expected` is nil where no length was announced.
  case closedEarly(received: Int, expected: Int?)
  /// Any other failure of libcurl, with its code.
  case connection(code: Int, reason: String)
  case certificate(reason: String)

  /// An answer that says that it did not work.
  case status(Int)
  case throttled(status: Int, retryAfter: Duration?)
  case missing(status: Int)
  case denied(status: Int)
  /// A file of a `file` mirror that cannot be read.
  case unreadable(SystemError)
  /// A folder, a pipe or a device in place of a file of a `file` mirror.
  case notAFile

  case contentCoding(String)
  /// A page instead of the file.
  case html(firstBytes: String)
  case malformedHead(String)
  case noContentRange
  case otherRange(asked: Range<Int>, answered: String)
  case otherSize(announced: Int, expected: Int)
  case otherLength(announced: Int, expected: Int)
  case severalParts
  /// The mirror ignored or refused a range; it can still be asked for the whole file.
  case noRanges(status: Int)
  case tooLong(limit: Int)

  case tooManyRedirects(chain: [String])
  case redirectLoop(chain: [String])
  case redirectToHTTP(chain: [String])
  case redirectElsewhere(chain: [String], target: String)

  /// The bytes are not those that were signed; `chunk` is nil for a file that is verified whole.
  case wrongBytes(chunk: Int?, found: SHA256Digest)
  /// The answer announces the digest of another file.
  case otherDigest(announced: SHA256Digest)

  package enum Stage: String, Hashable, Sendable {
    case connect = "connection"
    case firstByte = "first byte"
    case idle = "next byte"
    /// The time for all of it, however steadily bytes come.
    case whole = "end"
  }
}
