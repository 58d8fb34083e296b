package import Digests

/// One thing that an audit found, with its facts.
///
/// Which model, version and file it is about is said by where it stands in the report; ``LocatedFinding`` says it all.
/// The texts may come from files, and need escaping before anybody prints them.
package struct AuditFinding: Hashable, Sendable {
  package let verdict: AuditVerdict
  package let severity: AuditSeverity
  /// What should have been found, such as a digest, a size, a mode or a version.
  package let expected: String?
  /// What was found.
  package let actual: String?
  /// One more fact, such as the reason of a withdrawal.
  package let note: String?
  /// The chunks that are wrong, in order; empty for what is no matter of chunks.
  package let chunks: [WrongChunk]

  /// Makes a finding of the severity of its verdict unless `severity` says another one.
  package init(
    _ verdict: AuditVerdict,
    severity: AuditSeverity? = nil,
    expected: String? = nil,
    actual: String? = nil,
    note: String? = nil,
    chunks: [WrongChunk] = []
  ) {
    self.verdict = verdict
    self.severity = severity ?? verdict.severity
    self.expected = expected
    self.actual = actual
    self.note = note
    self.chunks = chunks
  }

  package var axis: AuditAxis { verdict.axis }

  /// Whether it makes the audit end with findings.
  package var counts: Bool { severity > .note }
}

/// A chunk whose bytes are not the signed ones.
package struct WrongChunk: Hashable, Sendable {
  /// The place in the chunk table of the file.
  package let index: Int
  /// The bytes of the file that belong to it.
  package let range: Range<Int>
  package let expected: SHA256Digest
  /// The digest that was read; nil where the file ends before the end of the chunk.
  package let found: SHA256Digest?

  package init(index: Int, range: Range<Int>, expected: SHA256Digest, found: SHA256Digest?) {
    self.index = index
    self.range = range
    self.expected = expected
    self.found = found
  }
}
