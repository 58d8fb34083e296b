import Testing

/// A long byte string that a failed expectation shows by its length and its start.
struct Long: Equatable, CustomTestStringConvertible {
  private let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var testDescription: String { "\(bytes.count) bytes: \(bytes.prefix(8))…" }
}
