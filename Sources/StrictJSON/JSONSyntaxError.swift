/// Why bytes are not a document that may be signed, and where.
package struct JSONSyntaxError: Error, Equatable, Sendable {
  /// What a reader can find wrong.
  package enum Problem: Equatable, Sendable {
    /// A byte that the grammar doesn't allow here.
    case unexpectedByte(UInt8)
    /// The bytes end before the value does.
    case truncated
    /// The value is whole, and something other than white space follows it.
    case trailingBytes
    /// The name of an earlier member of the same object, or its twin under Unicode equivalence.
    case duplicateMember(String)
    /// A name with more combining marks in a row than stream-safe text has (UAX #15).
    case tooManyMarks(limit: Int)
    /// A number with a fraction, an exponent, a leading zero, or `-0`.
    case notAnInteger
    /// An integer that needs more than 64 bits.
    case integerOutOfRange
    /// A backslash that starts none of the nine escapes.
    case badEscape
    /// Half of a surrogate pair without its other half.
    case unpairedSurrogate
    /// A byte below 0x20 that stands in a string without an escape.
    case controlCharacter(UInt8)
    /// `\u0000`, which would cut text short wherever C reads it.
    case nullCharacter
    /// A string whose bytes are not UTF-8.
    case invalidUTF8
    /// A UTF-8 byte order mark before the value.
    case byteOrderMark
    /// UTF-16 or UTF-32.
    case notUTF8
    /// An array or object deeper inside others than the limit.
    case tooDeep(limit: Int)
    /// More bytes than the limit.
    case tooLarge(limit: Int)
  }

  /// Where the problem begins, counted in bytes from zero.
  ///
  /// A name, number or escape is refused at its first byte, invalid UTF-8 at the first byte of the
  /// ill-formed sequence, and what is missing at the count of bytes.
  package let offset: Int
  package let problem: Problem

  package init(offset: Int, problem: Problem) {
    self.offset = offset
    self.problem = problem
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The problem and its place in printable ASCII, whatever the document holds.
  package var description: String { "\(problem) at byte \(offset)" }
}

extension JSONSyntaxError.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpectedByte(let byte): "unexpected \(named(byte))"
    case .truncated: "unexpected end"
    case .trailingBytes: "something follows the document"
    case .duplicateMember(let name): "second member named \(quoted(name))"
    case .tooManyMarks(let limit): "name with more than \(limit) combining marks in a row"
    case .notAnInteger: "number is not a plain integer"
    case .integerOutOfRange: "integer needs more than 64 bits"
    case .badEscape: "unknown escape in a string"
    case .unpairedSurrogate: "half a surrogate pair in a string"
    case .controlCharacter(let byte): "unescaped control character \(named(byte)) in a string"
    case .nullCharacter: "null character in a string"
    case .invalidUTF8: "string is not UTF-8"
    case .byteOrderMark: "byte order mark before the document"
    case .notUTF8: "document is UTF-16 or UTF-32, not UTF-8"
    case .tooDeep(let limit): "more than \(limit) levels"
    case .tooLarge(let limit): "more than \(limit) bytes"
    }
  }

  /// Writes a byte as a character where it has a visible one.
  private func named(_ byte: UInt8) -> String {
    guard (0x21...0x7E).contains(byte) else {
      return "byte 0x\(hexadecimal(UInt16(byte), digits: 2))"
    }
    return "`\(Character(Unicode.Scalar(byte)))`"
  }
}
