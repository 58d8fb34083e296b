/// Reads the bytes of a document into a value and refuses what signed documents must not contain.
///
/// The grammar is RFC 8259 in UTF-8, without a byte order mark. Beyond it, refused are: members with
/// one name or with names that Unicode takes for the same, names with endless combining marks, numbers
/// other than plain 64-bit integers, `\u0000`, and whatever exceeds the limits. The whole document is checked, not only what a caller
/// goes on to use, so that two readers can't take it for different things.
package struct JSONReader {
  let bytes: [UInt8]
  let greatestDepth: Int
  /// The first byte that isn't read yet.
  var offset = 0

  private init(_ bytes: [UInt8], greatestDepth: Int) {
    self.bytes = bytes
    self.greatestDepth = greatestDepth
  }

  /// Reads one value that fills `bytes`, white space aside.
  ///
  /// Throws the first problem in the order of the document. Takes time linear in the count of
  /// bytes, and stack for no more levels than the limit allows.
  package static func parse(
    _ bytes: [UInt8],
    limits: JSONLimits = JSONLimits()
  ) throws(JSONSyntaxError) -> JSONValue {
    guard bytes.count <= limits.bytes else {
      throw JSONSyntaxError(offset: limits.bytes, problem: .tooLarge(limit: limits.bytes))
    }
    var reader = JSONReader(bytes, greatestDepth: limits.depth)
    try reader.refuseOtherEncodings()
    let value = try reader.value(depth: 0)
    reader.skipWhiteSpace()
    guard reader.offset == bytes.count else { throw reader.problem(.trailingBytes) }
    return value
  }

  /// Gives byte order marks, UTF-16 and UTF-32 a problem of their own: tools write them unasked.
  private func refuseOtherEncodings() throws(JSONSyntaxError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw problem(.byteOrderMark) }
    // A text starts with two ASCII characters, so one of the first two bytes is zero in UTF-16
    // and UTF-32, unless a byte order mark stands there.
    let start = bytes.prefix(2)
    guard start.count == 2 else { return }
    if start.contains(0) || start == [0xFF, 0xFE] || start == [0xFE, 0xFF] {
      throw problem(.notUTF8)
    }
  }

  /// Reads a value that stands inside `depth` arrays and objects.
  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    let byte = try nextToken()
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try integer())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw problem(.unexpectedByte(byte))
    }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
    var elements: [JSONValue] = []
    guard try open(closing: UInt8(ascii: "]"), depth: depth) else { return elements }
    repeat {
      elements.append(try value(depth: depth))
    } while try hasNext(closing: UInt8(ascii: "]"))
    return elements
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONObject {
    var object = JSONObject()
    var names = MemberNames()
    guard try open(closing: UInt8(ascii: "}"), depth: depth) else { return object }
    repeat {
      try expect(UInt8(ascii: "\""))
      let start = offset
      let name = try string()
      if let refusal = names.refusal(of: name, in: object) { throw problem(refusal, at: start) }
      try expect(UInt8(ascii: ":"))
      offset += 1
      object.append(name, try value(depth: depth))
    } while try hasNext(closing: UInt8(ascii: "}"))
    return object
  }

  /// Takes an opening bracket, and its closing one if nothing stands between; returns whether
  /// something does.
  private mutating func open(closing: UInt8, depth: Int) throws(JSONSyntaxError) -> Bool {
    guard depth <= greatestDepth else { throw problem(.tooDeep(limit: greatestDepth)) }
    offset += 1
    guard try nextToken() == closing else { return true }
    offset += 1
    return false
  }

  /// Takes a comma or the closing bracket; returns whether it was a comma.
  private mutating func hasNext(closing: UInt8) throws(JSONSyntaxError) -> Bool {
    let byte = try nextToken()
    guard byte == UInt8(ascii: ",") || byte == closing else { throw problem(.unexpectedByte(byte)) }
    offset += 1
    return byte != closing
  }

  private mutating func word(
    _ word: StaticString,
    _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for expected in word.description.utf8 {
      guard offset < bytes.count else { throw problem(.truncated) }
      guard bytes[offset] == expected else { throw problem(.unexpectedByte(bytes[offset])) }
      offset += 1
    }
    return value
  }
}

extension JSONReader {
  /// Says what is wrong at `start`, or at the byte that comes next.
  func problem(_ problem: JSONSyntaxError.Problem, at start: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(offset: start ?? offset, problem: problem)
  }

  /// Returns the first byte that isn't white space, without taking it.
  private mutating func nextToken() throws(JSONSyntaxError) -> UInt8 {
    skipWhiteSpace()
    guard offset < bytes.count else { throw problem(.truncated) }
    return bytes[offset]
  }

  private mutating func expect(_ expected: UInt8) throws(JSONSyntaxError) {
    let byte = try nextToken()
    guard byte == expected else { throw problem(.unexpectedByte(byte)) }
  }

  private mutating func skipWhiteSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        offset += 1
      default: return
      }
    }
  }
}
