/// What a mirror sends for one request, decided before the first byte leaves.
struct Answer: Sendable {
  /// How the length of the body is told.
  enum Framing { case length(Int), untilClose, chunked }

  /// What happens once the body, or as much of it as is to come, is sent.
  enum Ending { case keepAlive, close, reset, silence }

  var status: Int
  /// What stands instead of the status line, where that is wrong.
  var statusLine: String?
  var fields: [HTTPField] = []
  var body: Body
  var framing: Framing
  var ending = Ending.keepAlive
  /// The bytes of the body after which the ending comes; nil for all of them.
  var cut: Int?
  /// Bytes of body a second; nil for as fast as possible.
  var rate: Int?
  /// Bytes of header a second.
  var headRate: Int?
  /// Whether header lines follow without end.
  var hasEndlessHeader = false

  init(_ status: Int, _ fields: [HTTPField], _ body: Body) {
    self.status = status
    self.fields = fields
    self.body = body
    framing = body.count.map { .length($0) } ?? .untilClose
    if body.count == nil { ending = .close }
  }

  /// The status line and the fields, with the empty line at the end.
  var head: [UInt8] {
    var lines = [statusLine ?? "HTTP/1.1 \(status) \(reason(status))"]
    lines += fields.map { "\($0.name): \($0.value)" }
    switch framing {
    case .length(let count): lines.append("Content-Length: \(count)")
    case .chunked: lines.append("Transfer-Encoding: chunked")
    case .untilClose: lines.append("Connection: close")
    }
    if hasEndlessHeader { return lines.flatMap { Array("\($0)\r\n".utf8) } }
    return (lines + ["", ""]).joined(separator: "\r\n").utf8.map { $0 }
  }
}

private func reason(_ status: Int) -> String {
  switch status {
  case 200: "OK"
  case 206: "Partial Content"
  case 301: "Moved Permanently"
  case 302: "Found"
  case 307: "Temporary Redirect"
  case 308: "Permanent Redirect"
  case 401: "Unauthorized"
  case 403: "Forbidden"
  case 404: "Not Found"
  case 405: "Method Not Allowed"
  case 410: "Gone"
  case 416: "Range Not Satisfiable"
  case 429: "Too Many Requests"
  case 500: "Internal Server Error"
  case 502: "Bad Gateway"
  case 503: "Service Unavailable"
  case 504: "Gateway Timeout"
  default: "Status"
  }
}
