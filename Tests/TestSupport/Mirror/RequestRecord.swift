/// What a mirror saw of one request and what it answered.
package struct RequestRecord: Hashable, Sendable {
  package let method: String
  /// The target of the request line, byte for byte.
  package let target: String
  /// The target without its query, percent signs resolved.
  package let path: String
  /// All header fields, in their order.
  package let fields: [HTTPField]
  /// The number of the connection that brought it, from 1.
  package let connection: Int
  /// The time from the start of the mirror to the end of the request's header.
  package let time: Duration
  /// The status of the answer; 0 while there is none, and where none is ever sent.
  package internal(set) var status = 0
  /// The bytes of the body given to the kernel so far, chunk sizes and header excluded.
  package internal(set) var bytesSent = 0
  /// Whether the answer was given to the kernel as a whole, as far as the fault meant to send it.
  package internal(set) var isComplete = false

  package var range: String? { fields.value("Range") }
  package var acceptEncoding: String? { fields.value("Accept-Encoding") }
  package var hasAuthorization: Bool { fields.value("Authorization") != nil }
  package var hasCookie: Bool { fields.value("Cookie") != nil }
  /// The names of the fields that begin with `X-`, as they were written.
  package var extensionFields: [String] {
    fields.map(\.name).filter { lowered($0).starts(with: "x-".utf8) }
  }

  init(_ head: RequestHead, connection: Int, time: Duration) {
    method = head.method
    target = head.target
    path = head.path
    fields = head.fields
    self.connection = connection
    self.time = time
  }
}
