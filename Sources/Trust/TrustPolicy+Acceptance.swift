package import Digests
import Signatures
package import Manifests

/// A release whose manifest a trust policy has accepted.
///
/// Only ``TrustPolicy/accept(_:at:)`` makes one.
package struct AcceptedManifest: Equatable, Sendable {
  package let release: Release
  /// The envelope, byte for byte as it was read.
  package let envelopeBytes: [UInt8]
  /// The SHA-256 of the payload: what the signatures cover, whatever the envelope looks like.
  package let digest: SHA256Digest
  /// The keys that signed and that the rule counts, in the order of their fingerprints.
  package let signers: [TrustedKey]
  /// The rule that decided.
  package let rule: TrustRule
  /// The manifests that the repository of the model has withdrawn; empty for a model of no repository.
  package internal(set) var withdrawn: Set<SHA256Digest> = []

  fileprivate init(
    release: Release,
    envelopeBytes: [UInt8],
    digest: SHA256Digest,
    signers: [TrustedKey],
    rule: TrustRule
  ) {
    self.release = release
    self.envelopeBytes = envelopeBytes
    self.digest = digest
    self.signers = signers
    self.rule = rule
  }
}

extension TrustPolicy {
  /// Accepts a manifest that enough of the right keys have signed, or says why not.
  ///
  /// The signatures are checked over the raw payload before anything parses it, and one of them must be by a key
  /// that is neither withdrawn nor export-only nor past its `notAfter`. The payload must then be a
  /// release, not withdrawn and not expired, and the most specific rule for its model alone counts: distinct
  /// public keys of the rule against which nothing stands. About a model that a repository has reserved the policy of
  /// that repository decides, and what this one withdraws stays withdrawn.
  /// - Parameters:
  ///   - bytes: The envelope as it was read.
  ///   - time: Now, at an install; the recorded time of first acceptance where an installed release is judged again.
  /// - Returns: The release with all that was found out about it.
  /// - Throws: ``TrustError``.
  package func accept(
    _ bytes: [UInt8],
    at time: Timestamp
  ) throws(TrustError) -> AcceptedManifest {
    var evidence = TrustEvidence()
    return try accept(bytes, at: time, noting: &evidence)
  }

  /// Does the same, and leaves in `evidence` what was known when the decision fell.
  func accept(
    _ bytes: [UInt8],
    at time: Timestamp,
    noting evidence: inout TrustEvidence
  ) throws(TrustError) -> AcceptedManifest {
    let envelope = try Self.envelope(bytes)
    evidence.envelope = envelope
    if let reservation = try reservation(of: envelope, at: time) {
      return try accept(bytes, under: reservation, at: time, noting: &evidence)
    }
    let signers = signers(of: envelope)
    guard !signers.isEmpty else { throw refusal(claimed: envelope.signatures.map(\.keyID)) }
    evidence.signers = signers.sorted().compactMap { keys[$0] }
    try requireCurrentSigner(evidence.signers, at: time)
    let digest = envelope.payloadDigest
    try requireNotWithdrawn(digest)
    let release = try Self.release(of: envelope)
    evidence.release = release
    guard let rule = rule(for: release.model) else { throw .noRule(release.model) }
    evidence.rule = rule
    let counted = try countedSigners(signers, for: rule, at: time)
    try release.requireUnexpired(at: time)
    return AcceptedManifest(
      release: release,
      envelopeBytes: bytes,
      digest: digest,
      signers: counted,
      rule: rule
    )
  }

  /// The keys of the policy that signed, whatever stands against them.
  func signers(of envelope: Envelope) -> Set<Fingerprint> {
    Set(envelope.signers(among: keys.values.map(\.publicKey)).map(\.fingerprint))
  }

  private static func envelope(_ bytes: [UInt8]) throws(TrustError) -> Envelope {
    do {
      return try Envelope(parsing: bytes)
    } catch {
      throw .noEnvelope(error)
    }
  }

  static func release(of envelope: Envelope) throws(TrustError) -> Release {
    do {
      return try envelope.release()
    } catch {
      throw .unusable(error)
    }
  }

  /// The keys that are withdrawn among those with these names, each with the reason.
  func withdrawnKeys(named claimed: [String]) -> [Fingerprint: String] {
    withdrawnKeys.filter { claimed.contains($0.key.description) }
  }

  /// Why an envelope with these names of signers is refused, when no signature in it verifies.
  private func refusal(claimed: [String]) -> TrustError {
    let withdrawn = withdrawnKeys(named: claimed)
    // Where a key that counts is named as well, its signature is what is wrong.
    let named = keys.values.filter {
      claimed.contains($0.fingerprint.description) && withdrawn[$0.fingerprint] == nil
    }
    guard named.isEmpty else {
      return .brokenSignature(named.sorted { $0.fingerprint < $1.fingerprint })
    }
    guard withdrawn.isEmpty else { return .withdrawnSigner(withdrawn, by: nil) }
    return .untrustedSigner(claimed: claimed)
  }

  /// Throws `noCurrentSigner` unless nothing stands against one of the signers.
  func requireCurrentSigner(
    _ signers: [TrustedKey],
    at time: Timestamp
  ) throws(TrustError) {
    let ignored = signers.compactMap { key in
      objection(to: key, at: time).map { IgnoredSigner(key: key, reason: $0) }
    }
    guard ignored.count == signers.count else { return }
    let names = Set(signers.map(\.fingerprint))
    throw .noCurrentSigner(ignored, rules: rules.filter { !names.isDisjoint(with: $0.keys) })
  }
}
