/// Why a parser went no further.
package enum FormatStop: Error, Equatable, Sendable {
  /// The file is at fault.
  case fault(FormatFault)
  /// The source could not be read; the source's own error is with whoever made the reader.
  case unreadable

  /// Stops at a structural fault.
  static func structure(
    _ code: FaultCode,
    at offset: Int,
    _ subject: String,
    expected: String,
    found: String
  ) -> FormatStop {
    .fault(
      .structure(StructureFault(code, at: offset, subject, expected: expected, found: found))
    )
  }

  /// Stops at a structural fault in the one part of a file that a parser looks at, such as its header.
  static func structure(
    _ code: FaultCode,
    of part: String,
    at offset: Int,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    structure(code, at: offset, part, expected: expected, found: found)
  }

  /// The same in the same order without labels, for parsers of many short checks.
  static func structure(
    _ code: FaultCode,
    _ offset: Int,
    _ subject: String,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    structure(code, at: offset, subject, expected: expected, found: found)
  }
}
