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
}
