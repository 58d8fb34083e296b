/// An answer as it arrived.
package struct WireAnswer: Hashable, Sendable {
  /// The status line and the fields, up to the empty line or to where they broke off.
  package let head: String
  package internal(set) var body: [UInt8] = []
  package internal(set) var end = WireClient.End.closed

  init(head: String) { self.head = head }

  /// The number of the status line; nil if it is none.
  package var status: Int? {
    let words = head.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count == 3, words[0].elementsEqual("HTTP/1.1".utf8) else { return nil }
    return Int(String(Substring(words[1])))
  }

  package var fields: [HTTPField] {
    let lines = Array(head.utf8).split(separator: UInt8(ascii: "\r"))
    return lines.dropFirst().compactMap { line in
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let (name, value) = (parts[0].drop { $0 == 0x0a }, parts[1].drop { $0 == 0x20 })
      return HTTPField(
        String(decoding: name, as: UTF8.self),
        String(decoding: value, as: UTF8.self)
      )
    }
  }

  /// The first value of a field.
  package func value(_ name: String) -> String? { fields.value(name) }

  /// All values of a field.
  package func values(_ name: String) -> [String] {
    fields.filter { $0.has(name) }.map(\.value)
  }

  /// The body taken out of its chunks (RFC 9112 §7.1); nil if they are not whole.
  package var dechunked: [UInt8]? {
    var (rest, bytes) = (body[...], [UInt8]())
    while let end = rest.firstIndex(of: 0x0a) {
      let digits = rest[..<end].filter { $0 != 0x0d }
      guard let count = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
      guard count > 0 else { return bytes }
      let data = rest[(end + 1)...].prefix(count)
      bytes += data
      rest = rest[data.endIndex...].dropFirst(2)
    }
    return nil
  }
}
