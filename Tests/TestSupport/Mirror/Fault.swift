/// The one way in which a mirror is wrong.
///
/// Unless a case says otherwise, what it does not name is done as an honest server does it, and a fault
/// about ranges shows only in answers to requests for a range.
package enum Fault: Hashable, Sendable {
  /// Ranges, a strong ETag, Accept-Ranges, HEAD, keep-alive; a range past the end gets 416 with HTML.
  case honest
  /// An honest answer with one more header field.
  case field(name: String, value: String)

  // Wrong bytes.

  /// One byte is wrong: the one at this offset, or the last of a shorter file.
  case flip(at: Int = 5_000_000)
  /// One byte is wrong in the middle of each stretch of this many bytes.
  case flipEvery(Int)
  /// The right size, every byte 0.
  case zeros
  /// The file with this many bytes more.
  case longer(by: Int = 4000)
  /// The file with this many bytes fewer.
  case shorter(by: Int = 4000)
  /// From the n-th request on (the first is 1), another file of the same size with another ETag.
  ///
  /// A mirror that does not honour If-Range answers 206 with the bytes of the new file.
  case swapAfter(Int, honoursIfRange: Bool = true)
  /// Another strong ETag with each answer.
  case etagFlip
  /// 200 with the whole file compressed, Content-Encoding: gzip; ranges are ignored.
  case gzip
  /// The same as ``gzip``, but only for a client that offers to take it.
  case gzipNegotiated
  /// 200 with a page in HTML of 2,520 bytes.
  case html

  // Wrong ranges.

  /// Ignores Range: 200 with the whole file, and no Accept-Ranges.
  case noRange
  /// The right bytes and Content-Range, but status 200.
  case ok200
  /// 206 with the first bytes of the file and a truthful Content-Range from 0.
  case wrongContentRange
  /// 206 with the right bytes and no Content-Range.
  case noContentRange
  /// 206 with Content-Range as asked and the bytes from one place earlier; before the first is the last.
  case shift
  /// A legal 206 with half of what was asked and a truthful Content-Range.
  case short206
  /// 206 with Content-Range as asked, but Content-Length and body of half of it.
  case shortLength
  /// 206 with two Content-Range fields that differ.
  case twoContentRanges
  /// Two Content-Length fields that differ; the body has the first of them.
  case twoLengths
  /// 206 with the range as the only part of a multipart/byteranges body.
  case multipart
  /// Every request gets 416 with a text body.
  case always416
  /// 503 with HTML for each range that holds this offset.
  case oneRange(holding: Int)
  /// Answers a request for a range with the right bytes, whatever If-Range says.
  case ignoresIfRange

  // Refusals.

  /// Each answer has this status, with a small body.
  case status(Int, retryAfter: Int? = nil)
  /// The first answers have this status, then the mirror is honest.
  case statusTimes(Int, status: Int = 503, retryAfter: Int? = 1)
  /// The first answers are honest, then each has this status.
  case statusAfter(Int, status: Int = 429, retryAfter: Int? = 1)
  /// 401 with a challenge, unless the request has this Authorization.
  case unauthorized(unless: String)
  /// 302 to the same path at another place, such as `http://127.0.0.1:8080`.
  case redirect(to: String, status: Int = 302)
  /// 302 to itself with a new path, for ever.
  case redirectLoop

  // Broken delivery.

  /// The full Content-Length, but the connection closes after 60 % of the body.
  case truncated
  /// 200 without Content-Length from the start of the file, closed after 60 %.
  case truncatedWithoutLength
  /// A TCP reset after 1 MiB or half of the body, whichever comes first.
  case reset
  /// This many bytes or half of the body, whichever comes first, then silence on the open connection.
  case stall(after: Int = 1 << 20)
  /// Silence on the open connection in place of the byte at this offset of the file and of all that follow.
  case stallAt(Int)
  /// Takes the request and says nothing at all.
  case silence
  /// The body at this speed on each connection.
  case slow(bytesPerSecond: Int = 60_000)
  /// The header at this speed, then the body as always.
  case slowHeader(bytesPerSecond: Int = 40)
  /// A header without end.
  case endlessHeader
  /// No Content-Length, and the file over and over.
  case endlessBody
  /// A status line that is none.
  case garbage
  /// Transfer-Encoding: chunked without Content-Length, otherwise honest.
  case chunked
}
