package import Digests
package import Manifests
import Signatures

/// Which keys may sign reports of audits, and how many of them must have signed.
///
/// Each report is accepted on its own and after the one before it: a report names its predecessor by the digest of the
/// payload, so that none can be left out, replaced or put in between.
package struct ReportRule: Sendable {
  private let keys: [TrustedKey]
  private let threshold: Int

  /// - Throws: ``TrustError``: `repeatedKey` for the same key twice, under whatever name, and `badThreshold` for a
  ///   threshold that is not between 1 and the count of keys.
  package init(keys: [TrustedKey], threshold: Int) throws(TrustError) {
    _ = try TrustPolicy(keys: keys, rules: [])
    guard threshold >= 1, threshold <= keys.count else {
      throw .badThreshold(threshold, keys: keys.count)
    }
    (self.keys, self.threshold) = (keys, threshold)
  }

  /// Accepts a report that enough of the keys have signed, or says why not.
  ///
  /// The signatures are checked over the raw payload before anything parses it.
  /// - Parameters:
  ///   - bytes: The envelope as it was read.
  ///   - previous: The report that this one must follow; nil where that is not asked.
  /// - Returns: The report with those who signed it.
  /// - Throws: ``TrustError``: `noReport`, `tooFewReportSigners`, `unusableReport` or `brokenChain`.
  package func accept(
    _ bytes: [UInt8],
    after previous: AcceptedReport?
  ) throws(TrustError) -> AcceptedReport {
    let envelope: Envelope
    do throws(ManifestError) { envelope = try Envelope(parsing: bytes) } catch {
      throw .noReport(error)
    }
    let signers = envelope.signers(among: keys.map(\.publicKey)).map(\.fingerprint)
    guard signers.count >= threshold else {
      throw .tooFewReportSigners(
        counted: signers.sorted(),
        threshold: threshold,
        claimed: envelope.signatures.map(\.keyID)
      )
    }
    let report: SignedReport
    do throws(ManifestError) { report = try envelope.report() } catch {
      throw .unusableReport(error)
    }
    if let previous, report.previous != previous.digest {
      throw .brokenChain(expected: previous.digest, found: report.previous)
    }
    return AcceptedReport(
      report: report,
      digest: envelope.payloadDigest,
      signers: keys.filter { signers.contains($0.fingerprint) }
        .sorted { $0.fingerprint < $1.fingerprint }
    )
  }
}

/// A report of an audit that was accepted; only ``ReportRule/accept(_:after:)`` makes one.
package struct AcceptedReport: Equatable, Sendable {
  package let report: SignedReport
  /// The SHA-256 of the payload: what the signatures cover, and how the next report names this one.
  package let digest: SHA256Digest
  /// The keys that signed, in the order of their fingerprints.
  package let signers: [TrustedKey]

  fileprivate init(report: SignedReport, digest: SHA256Digest, signers: [TrustedKey]) {
    (self.report, self.digest, self.signers) = (report, digest, signers)
  }
}
