/// The request line and the header fields of one request.
struct RequestHead: Hashable, Sendable {
  let method: String
  let target: String
  let version: String
  let fields: [HTTPField]

  /// Reads the lines up to and without the empty one; nil if they are no HTTP/1 request.
  init?(_ bytes: some Collection<UInt8>) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    guard let first = lines.first else { return nil }
    let words = first.split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 3, words[2].utf8.starts(with: "HTTP/1.".utf8) else { return nil }
    (method, target, version) = (words[0], words[1], words[2])
    var fields: [HTTPField] = []
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 }
      fields.append(
        HTTPField(
          String(decoding: line[..<colon], as: UTF8.self),
          String(decoding: value, as: UTF8.self)
        )
      )
    }
    self.fields = fields
  }

  /// The target without its query, percent signs resolved.
  var path: String {
    let bytes = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    var path: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        path.append(byte)
        index += 3
      } else {
        path.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: path, as: UTF8.self)
  }

  var wantsClose: Bool {
    if lowered(version).elementsEqual("http/1.0".utf8) { return true }
    return fields.value("Connection").map { lowered($0).elementsEqual("close".utf8) } ?? false
  }
}

/// What a Range field asks of a file of a known size (RFC 9110 §14).
enum RangeRequest: Hashable {
  /// No range, or one that a server ignores: malformed, of another unit, or several.
  case whole
  case part(Range<Int>)
  case pastTheEnd

  init(_ value: String?, size: Int) {
    self = .whole
    guard let value, value.utf8.starts(with: "bytes=".utf8) else { return }
    let ends = value.utf8.dropFirst(6)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    let (first, last) = (number(ends[0]), number(ends[1]))
    if let first {
      guard ends[1].isEmpty || last != nil, first <= last ?? first else { return }
      guard first < size else { self = .pastTheEnd; return }
      self = .part(first..<min(size - 1, last ?? size - 1) + 1)
    } else if ends[0].isEmpty, let last {
      guard last > 0, size > 0 else { self = .pastTheEnd; return }
      self = .part(max(0, size - last)..<size)
    }
  }
}

/// The number that these digits write, the highest there is if they write a greater one; nil for anything else.
private func number(_ digits: Substring.UTF8View) -> Int? {
  guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(String(Substring(digits))) ?? .max
}
