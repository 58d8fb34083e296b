package import Digests
package import Manifests
import StrictJSON

extension Envelope {
  /// Wraps the report of an audit for signing: the document of ``AuditDocument`` with the digest of the report before it.
  ///
  /// - Throws: `ManifestError` with `report` for one that an envelope has no room for.
  package init(
    _ report: AuditReport,
    after previous: SHA256Digest?
  ) throws(ManifestError) {
    guard case .object(var document) = AuditDocument(report).value else {
      preconditionFailure("a document is an object")
    }
    document[SignedReport.previousMember] = previous.map { .string($0.hex) } ?? .null
    try self.init(reportPayload: JSONWriter.canonical(.object(document)))
  }
}
