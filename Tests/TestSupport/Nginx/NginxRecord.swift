/// What nginx logged of one request.
package struct NginxRecord: Hashable, Sendable, Codable {
  package let method: String
  /// The path without the query, percent signs resolved.
  package let path: String
  /// The target of the request line, byte for byte.
  package let target: String
  package let protocolName: String
  /// The Range field, empty if there was none.
  package let range: String
  /// The Accept-Encoding field, empty if there was none.
  package let acceptEncoding: String
  /// The Authorization field, empty if there was none.
  package let authorization: String
  package let status: Int
  /// The bytes of the body that were sent.
  package let bytes: Int
  /// The end of the answer in seconds since 1970, and the seconds it took.
  package let time: Double
  package let seconds: Double
  package let connection: Int
  /// Whether the answer was sent whole.
  package var isComplete: Bool { completion == "OK" }
  private let completion: String

  /// The format of `log_format`; a body can be cut off at any byte, so a line is written at the end of each request.
  static let logFormat = """
    '{"method":"$request_method","path":"$uri","target":"$request_uri",'
        '"protocolName":"$server_protocol","range":"$http_range",'
        '"acceptEncoding":"$http_accept_encoding","authorization":"$http_authorization",'
        '"status":$status,"bytes":$body_bytes_sent,"time":$msec,"seconds":$request_time,'
        '"connection":$connection,"completion":"$request_completion"}'
    """
}
