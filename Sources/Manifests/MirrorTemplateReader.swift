/// Reads the text of a mirror template from left to right.
struct MirrorTemplateReader {
  struct Refusal: Error {
    let fault: TextFault
  }

  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func scheme() throws(Refusal) -> MirrorTemplate.Scheme {
    guard !bytes.isEmpty else { throw Refusal(fault: .empty) }
    guard bytes.count <= MirrorTemplate.maximumLength else {
      throw Refusal(fault: .tooLong(limit: MirrorTemplate.maximumLength))
    }
    let name = bytes.prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    guard name.first?.isLetter == true, bytes.dropFirst(name.count).first == UInt8(ascii: ":")
    else {
      throw Refusal(fault: .badForm(expected: "https://…, http://… or file:///…"))
    }
    guard let scheme = MirrorTemplate.Scheme(rawValue: string(name)) else {
      throw Refusal(fault: .unsupportedScheme(string(name)))
    }
    guard bytes.dropFirst(name.count).starts(with: "://".utf8) else {
      throw Refusal(fault: .badForm(expected: "https://…, http://… or file:///…"))
    }
    offset = name.count + 3
    return scheme
  }

  /// Reads the host and port; a `file` URL has none, or `localhost`.
  mutating func authority(of scheme: MirrorTemplate.Scheme) throws(Refusal) {
    let authority = bytes[offset...].prefix { !"/?#".utf8.contains($0) }
    guard !authority.contains(UInt8(ascii: "@")) else { throw Refusal(fault: .credentials) }
    for index in authority.indices where !isHostByte(bytes[index]) {
      throw Refusal(fault: .badByte(bytes[index], offset: index))
    }
    offset = authority.endIndex
    if scheme == .file {
      guard authority.isEmpty || authority.elementsEqual("localhost".utf8) else {
        throw Refusal(fault: .badHost)
      }
      guard bytes[offset...].first == UInt8(ascii: "/") else {
        throw Refusal(fault: .badForm(expected: "file:///absolute/path"))
      }
      return
    }
    guard isHostAndPort(authority) else { throw Refusal(fault: .badHost) }
  }

  /// Reads the rest: the path and the query, in literal runs and placeholders.
  mutating func parts() throws(Refusal) -> [MirrorTemplate.Part] {
    var parts: [MirrorTemplate.Part] = []
    var literal = Array(bytes[..<offset])
    var inQuery = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "{") {
        if !literal.isEmpty { parts.append(.literal(string(literal))) }
        literal = []
        parts.append(.placeholder(try placeholder(), inQuery: inQuery))
        continue
      }
      try checkByte(byte)
      if byte == UInt8(ascii: "?") { inQuery = true }
      literal.append(byte)
      offset += 1
    }
    if !literal.isEmpty { parts.append(.literal(string(literal))) }
    return parts
  }

  private mutating func placeholder() throws(Refusal) -> MirrorTemplate.Placeholder {
    let name = bytes[(offset + 1)...].prefix { $0 != UInt8(ascii: "}") }
    guard name.endIndex < bytes.count else {
      throw Refusal(fault: .badByte(UInt8(ascii: "{"), offset: offset))
    }
    guard let placeholder = MirrorTemplate.Placeholder(rawValue: string(name)) else {
      throw Refusal(fault: .unknownPlaceholder(string(name)))
    }
    offset = name.endIndex + 1
    return placeholder
  }

  private func checkByte(_ byte: UInt8) throws(Refusal) {
    guard byte != UInt8(ascii: "#") else { throw Refusal(fault: .fragment) }
    if byte == UInt8(ascii: "%") {
      let digits = bytes[(offset + 1)...].prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else {
        throw Refusal(fault: .badByte(byte, offset: offset))
      }
      return
    }
    guard byte.isLetter || byte.isDigit || "-._~:/?[]@!$&'()*+,;=".utf8.contains(byte) else {
      throw Refusal(fault: .badByte(byte, offset: offset))
    }
  }

  private func isHostByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-._~:[]".utf8.contains(byte)
  }

  private func isHostAndPort(_ authority: ArraySlice<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    var rest = authority
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = rest[(rest.startIndex + 1)..<end]
      guard !address.isEmpty,
        address.allSatisfy({ $0.isHexDigit || $0 == colon || $0 == UInt8(ascii: ".") })
      else { return false }
      rest = rest[(end + 1)...]
    } else {
      let host = rest.prefix { $0 != colon }
      guard !host.isEmpty, host.allSatisfy({ !"[]".utf8.contains($0) }) else { return false }
      rest = rest[host.endIndex...]
    }
    guard rest.first == colon else { return rest.isEmpty }
    guard rest.count <= 6, let port = decimal(rest.dropFirst()) else { return false }
    return (1...65_535).contains(port)
  }
}
