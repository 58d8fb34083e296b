/// A request for a file, as far as a static server needs it (RFC 9110, RFC 9112).
package struct StaticRequest: Hashable, Sendable {
  /// Why a request is answered with an error and the end of the connection.
  package enum Fault: Error, Hashable, Sendable {
    case malformed
    /// Only `GET` and `HEAD` are served.
    case otherMethod
    /// It has a body, which nothing that is served takes.
    case hasBody
  }

  /// The most bytes that a request may have.
  package static let maximumSize = 16 * 1024

  package let isHead: Bool
  /// The target as it was sent, without what follows a `?`.
  package let target: String
  package let range: RequestedRange?
  /// Whether the connection stays open after the answer.
  package let keepsConnection: Bool

  /// Reads a request without its last empty line.
  package init(head: [UInt8]) throws(Fault) {
    guard let text = String(validating: head, as: UTF8.self),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f || $0 == 0x0d || $0 == 0x0a || $0 == 0x09 })
    else { throw .malformed }
    let lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map {
      String(decoding: $0.last == 0x0d ? $0.dropLast() : $0, as: UTF8.self)
    }
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, ["HTTP/1.0", "HTTP/1.1"].contains(words[2]), !words[1].isEmpty else {
      throw .malformed
    }
    guard ["GET", "HEAD"].contains(words[0]) else { throw .otherMethod }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let (name, value) = Self.field(line) else { throw .malformed }
      fields[name] = value
    }
    guard fields["transfer-encoding"] == nil, ["0", nil].contains(fields["content-length"]) else {
      throw .hasBody
    }
    isHead = words[0] == "HEAD"
    target = String(words[1].prefix { $0 != "?" && $0 != "#" })
    range = fields["range"].flatMap(RequestedRange.init)
    let connection = fields["connection"]?.lowercased()
    keepsConnection =
      words[2] == "HTTP/1.1" ? connection != "close" : connection == "keep-alive"
  }

  private static func field(_ line: String) -> (name: String, value: String)? {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
      return nil
    }
    let name = line[..<colon]
    guard !name.contains(where: { $0 == " " || $0 == "\t" }) else { return nil }
    let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    return (name.lowercased(), String(value))
  }
}

/// One range of bytes that a client asks for; several at once are not served, and the whole file comes instead.
package enum RequestedRange: Hashable, Sendable {
  case from(Int)
  case between(Int, Int)
  /// So many bytes at the end.
  case last(Int)

  /// Reads the value of a `Range` field; nil for what is no single range of bytes, which a server may ignore.
  package init?(_ text: String) {
    guard text.utf8.starts(with: "bytes=".utf8) else { return nil }
    let parts = text.utf8.dropFirst(6).split(
      separator: UInt8(ascii: "-"),
      omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2 else { return nil }
    switch (Self.number(parts[0]), Self.number(parts[1])) {
    case (let first?, let last?) where first <= last: self = .between(first, last)
    case (let first?, nil) where parts[1].isEmpty: self = .from(first)
    case (nil, let count?) where parts[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  private static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The bytes of a file of `size` that are meant; nil if it has none of them.
  package func bytes(of size: Int) -> Range<Int>? {
    switch self {
    case .from(let first): first < size ? first..<size : nil
    case .between(let first, let last): first < size ? first..<(last < size ? last + 1 : size) : nil
    case .last(let count): count > 0 && size > 0 ? max(0, size - count)..<size : nil
    }
  }
}
