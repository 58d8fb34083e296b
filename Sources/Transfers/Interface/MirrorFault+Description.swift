import Digests
import SystemFiles

extension MirrorFault: CustomStringConvertible {
  /// One line in plain words, without URLs' secrets.
  package var description: String {
    switch self {
    case .unusableURL(let reason): "unusable URL: \(reason)"
    case .unresolvedName(let host): "the name \(host) does not resolve"
    case .unresolvedProxy(let reason): "the proxy was not found: \(reason)"
    case .noRoute(let reason): "no route: \(reason)"
    case .refusedConnection(let reason): "no connection: \(reason)"
    case .timedOut(.idle, let duration):
      "fewer than \(StageClock.leastProgress) bytes within \(seconds(duration))"
    case .timedOut(let stage, let duration): "no \(stage.rawValue) within \(seconds(duration))"
    case .closedEarly(let received, let expected?):
      "connection closed after \(received) of \(expected) bytes"
    case .closedEarly(let received, nil): "connection closed after \(received) bytes"
    case .connection(_, let reason): "connection failed: \(reason)"
    case .certificate(let reason): "certificate not accepted: \(reason)"
    case .unreadable(let error): "cannot be read: \(error.reason)"
    case .notAFile: "is no regular file"
    case .wrongBytes(let chunk?, let found): "chunk \(chunk) has wrong bytes (SHA-256 \(found))"
    case .wrongBytes(nil, let found): "wrong bytes (SHA-256 \(found))"
    case .otherDigest(let announced): "announces another file (SHA-256 \(announced))"
    case .status, .throttled, .missing, .denied, .contentCoding, .html, .malformedHead,
      .noContentRange, .otherRange, .otherSize, .otherLength, .severalParts, .noRanges, .tooLong:
      answerDescription
    case .tooManyRedirects, .redirectLoop, .redirectToHTTP, .redirectElsewhere:
      redirectDescription
    }
  }

  private var answerDescription: String {
    switch self {
    case .status(let status): "answered \(status)"
    case .throttled(let status, let pause?): "answered \(status), retry after \(seconds(pause))"
    case .throttled(let status, nil): "answered \(status)"
    case .missing(let status): "no such file (\(status))"
    case .denied(let status): "access refused (\(status))"
    case .contentCoding(let coding): "body is coded as \(coding)"
    case .html(let firstBytes): "mirror sent text/html, first bytes \"\(firstBytes)\""
    case .malformedHead(let reason): "malformed answer: \(reason)"
    case .noContentRange: "partial answer without Content-Range"
    case .otherRange(let asked, let answered):
      "asked for bytes \(asked.lowerBound)-\(asked.upperBound - 1), answered \"\(answered)\""
    case .otherSize(let announced, let expected):
      "file has \(announced) bytes there, not \(expected)"
    case .otherLength(let announced, let expected):
      "announces \(announced) bytes instead of \(expected)"
    case .severalParts: "answered in several parts"
    case .noRanges(let status): "ignores ranges (answered \(status))"
    case .tooLong(let limit): "sent more than \(limit) bytes"
    default: kind.rawValue
    }
  }

  private var redirectDescription: String {
    switch self {
    case .tooManyRedirects(let chain): "too many redirects: \(chain.joined(separator: " > "))"
    case .redirectLoop(let chain): "redirect loop: \(chain.joined(separator: " > "))"
    case .redirectToHTTP(let chain):
      "redirect from https to http: \(chain.joined(separator: " > "))"
    case .redirectElsewhere(let chain, let target):
      "redirect to what cannot be asked: \(chain.joined(separator: " > ")) > \(target)"
    default: kind.rawValue
    }
  }
}

/// Seconds with at most three places: `10 s`, `0.25 s`.
private func seconds(_ duration: Duration) -> String {
  let (whole, rest) = duration.components
  let thousandths = Int(rest / 1_000_000_000_000_000)
  guard thousandths > 0 else { return "\(whole) s" }
  var digits = String(1000 + thousandths).utf8.dropFirst()
  while digits.last == UInt8(ascii: "0") { digits = digits.dropLast() }
  return "\(whole).\(Substring(digits)) s"
}
