/// What is answered to a request: a status line with its fields, and which bytes of the file follow.
package struct StaticAnswer: Hashable, Sendable {
  package let status: Int
  package let head: [UInt8]
  /// The bytes of the file that follow; nil for an answer without a file.
  package let body: Range<Int>?
  package let keepsConnection: Bool

  /// Answers with a file of `size` bytes, whole or in part.
  package init(_ request: StaticRequest, path: String, size: Int) {
    let wanted = request.range.map { $0.bytes(of: size) }
    var fields = [
      ("Content-Type", Self.type(of: path)), ("Accept-Ranges", "bytes"),
      // Only what never changes under its name may be kept.
      ("Cache-Control", Self.mayChange(path) ? "no-cache" : "max-age=31536000, immutable"),
    ]
    switch wanted {
    case .some(nil):
      fields.append(("Content-Range", "bytes */\(size)"))
      self.init(416, fields, length: 0, body: nil, request)
    case .some(let range?):
      fields.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
      self.init(206, fields, length: range.count, body: request.isHead ? nil : range, request)
    case nil:
      self.init(200, fields, length: size, body: request.isHead ? nil : 0..<size, request)
    }
  }

  /// Answers that there is no such file.
  package init(missingFor request: StaticRequest) {
    self.init(404, [], length: 0, body: nil, request)
  }

  /// Answers to what cannot be served, after which the connection ends.
  package init(_ fault: StaticRequest.Fault) {
    let status =
      switch fault {
      case .malformed: 400
      case .otherMethod: 405
      case .hasBody: 413
      }
    let fields = fault == .otherMethod ? [("Allow", "GET, HEAD")] : []
    self.init(status, fields, length: 0, body: nil, keepsConnection: false)
  }

  private init(
    _ status: Int,
    _ fields: [(String, String)],
    length: Int,
    body: Range<Int>?,
    _ request: StaticRequest
  ) {
    self.init(
      status,
      fields,
      length: length,
      body: body,
      keepsConnection: request.keepsConnection
    )
  }

  private init(
    _ status: Int,
    _ fields: [(String, String)],
    length: Int,
    body: Range<Int>?,
    keepsConnection: Bool
  ) {
    let all =
      fields + [
        ("Content-Length", "\(length)"), ("Connection", keepsConnection ? "keep-alive" : "close"),
      ]
    let text =
      "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")\r\n"
      + all.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
    self.status = status
    head = Array(text.utf8)
    self.body = body
    self.keepsConnection = keepsConnection
  }

  private static let reasons = [
    200: "OK", 206: "Partial Content", 400: "Bad Request", 404: "Not Found",
    405: "Method Not Allowed", 413: "Content Too Large", 416: "Range Not Satisfiable",
  ]

  private static func type(of path: String) -> String {
    path.utf8.suffix(5).elementsEqual(".json".utf8)
      ? "application/json" : "application/octet-stream"
  }

  private static func mayChange(_ path: String) -> Bool {
    path == "metadata/timestamp.json" || path == "metadata/root.json"
      || !["metadata/", "targets/", "blobs/"].contains { path.utf8.starts(with: $0.utf8) }
  }
}
