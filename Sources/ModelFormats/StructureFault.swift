import Manifests

/// One thing in a file that is not as its format demands: what, where, and both values.
package struct StructureFault: Hashable, Sendable {
  package let code: FaultCode
  /// The place in the file, in bytes from its start.
  package let offset: Int
  /// What was looked at, such as `tensor "blk.0.attn_q.weight"`; may hold any text of the file.
  package let subject: String
  /// What the format demands there, as `expected …` goes on.
  package let expected: String
  /// What stands there, as `found …` goes on.
  package let found: String

  /// Takes the facts; texts of the file go in as they are, and are escaped when they are shown.
  package init(
    _ code: FaultCode,
    at offset: Int,
    _ subject: String,
    expected: String,
    found: String
  ) {
    self.code = code
    self.offset = offset
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension StructureFault: CustomStringConvertible {
  /// The fault as the rest of a sentence about the file, safe to print.
  package var description: String {
    "\(escaped(subject)) at byte \(offset): expected \(escaped(expected)), found \(escaped(found))"
  }
}

extension FaultCode {
  /// What a file with such a fault is, between its name and the place.
  var words: String {
    switch self {
    case .unsafeCode: "can run code when it is loaded"
    case .wrongEndian: "is for another kind of host"
    case .tooLarge: "holds more than is read of a file"
    case .licenceConflict: "says another licence"
    case .formatFactsMismatch: "is not what its manifest says"
    case .roleMismatch, .shardMismatch, .bundleIncomplete, .bundleExtraFile, .externalFileMissing:
      "does not fit the release"
    default: "is malformed"
    }
  }
}
