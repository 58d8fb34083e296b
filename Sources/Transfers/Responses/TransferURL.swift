import CCurl

/// An absolute `https`, `http` or `file` URL, read as libcurl reads it.
package struct TransferURL: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable { case https, http, file }

  /// The URL with all its parts: secret, if it has a password or a signed query.
  let text: String
  package let scheme: Scheme
  /// In lower case; empty for a file.
  package let host: String
  /// Scheme, host and port: what credentials belong to.
  package let origin: String
  /// The absolute path of a `file` URL, its percent signs decoded.
  package let filePath: String?

  /// The URL for people: without user name, password, query and fragment.
  package var redacted: String { redact(text) }

  /// Reads an absolute URL.
  package init(_ text: String) throws(MirrorFault) {
    if lowered(text.utf8.prefix(5)) == Array("file:".utf8) {
      try self.init(file: text)
    } else {
      let parts = URLParts()
      try parts.set(CURLUPART_URL, text)
      try self.init(parts)
    }
  }

  /// Reads the value of a Location field as seen from this URL; a user name or password in it is dropped.
  package func resolving(_ reference: [UInt8]) throws(MirrorFault) -> TransferURL {
    guard !reference.contains(0) else { throw .unusableURL("NUL in it") }
    let parts = URLParts()
    try parts.set(CURLUPART_URL, text)
    try parts.set(CURLUPART_URL, String(decoding: reference, as: UTF8.self), CURLU_URLENCODE)
    try parts.set(CURLUPART_USER, nil)
    try parts.set(CURLUPART_PASSWORD, nil)
    try parts.set(CURLUPART_FRAGMENT, nil)
    return try TransferURL(parts)
  }

  private init(_ parts: borrowing URLParts) throws(MirrorFault) {
    guard let text = parts.get(CURLUPART_URL), let name = parts.get(CURLUPART_SCHEME),
      let host = parts.get(CURLUPART_HOST),
      let port = parts.get(CURLUPART_PORT, CURLU_DEFAULT_PORT),
      let scheme = Scheme(rawValue: name), scheme != .file
    else { throw .unusableURL("neither https, http nor file") }
    self.text = text
    self.scheme = scheme
    self.host = String(decoding: lowered(host.utf8), as: UTF8.self)
    origin = "\(scheme.rawValue)://\(self.host):\(port)"
    filePath = nil
  }

  private init(file text: String) throws(MirrorFault) {
    let rest = Array(text.utf8.dropFirst(5))
    guard rest.starts(with: "//".utf8), let slash = rest.dropFirst(2).firstIndex(of: 0x2f) else {
      throw .unusableURL("file URL without an absolute path")
    }
    let host = lowered(rest[2..<slash])
    guard host.isEmpty || host.elementsEqual("localhost".utf8) else {
      throw .unusableURL("file URL of another host")
    }
    guard let path = percentDecoded(rest[slash...]),
      let path = String(validating: path, as: UTF8.self)
    else { throw .unusableURL("file URL with a path that is none") }
    self.text = text
    scheme = .file
    self.host = ""
    origin = "file://"
    filePath = path
  }
}

/// Text that names a mirror or URL, without user name, password, query and fragment.
package func redact(_ text: String) -> String {
  let bytes = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  let slash = UInt8(ascii: "/")
  guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
    bytes[colon...].dropFirst().starts(with: "//".utf8)
  else { return String(decoding: bytes, as: UTF8.self) }
  let start = colon + 3
  let end = bytes[start...].firstIndex(of: slash) ?? bytes.endIndex
  let host = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
  return String(decoding: bytes[..<start] + bytes[host...], as: UTF8.self)
}

/// Decodes `%41`; nil for a broken escape, a NUL, a query or a fragment, and for a slash that is part of a name, which no
/// file can have.
private func percentDecoded(_ bytes: some Collection<UInt8>) -> [UInt8]? {
  var decoded: [UInt8] = []
  var rest = bytes[...]
  while let byte = rest.popFirst() {
    switch byte {
    case 0, UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
    case UInt8(ascii: "%"):
      guard let high = rest.popFirst().flatMap(hexDigit),
        let low = rest.popFirst().flatMap(hexDigit),
        high << 4 | low != 0, high << 4 | low != UInt8(ascii: "/")
      else { return nil }
      decoded.append(high << 4 | low)
    default: decoded.append(byte)
    }
  }
  return decoded
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
