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
  /// that is neither withdrawn nor past its `notAfter`. The payload must then be a
  /// release, not withdrawn and not expired, and the most specific rule for its model alone counts: distinct
  /// public keys of the rule that are neither withdrawn nor past their `notAfter`.
  /// - Parameters:
  ///   - bytes: The envelope as it was read.
  ///   - time: Now, at an install; the recorded time of first acceptance where an installed release is judged again.
  /// - Returns: The release with all that was found out about it.
  /// - Throws: ``TrustError``.
  package func accept(
    _ bytes: [UInt8],
    at time: Timestamp
  ) throws(TrustError) -> AcceptedManifest {
    let envelope = try Self.envelope(bytes)
    let signers = Set(envelope.signers(among: keys.values.map(\.publicKey)).map(\.fingerprint))
    guard !signers.isEmpty else { throw refusal(claimed: envelope.signatures.map(\.keyID)) }
    try requireCurrentSigner(signers, at: time)
    let digest = envelope.payloadDigest
    if let reason = withdrawnManifests[digest] { throw .withdrawnManifest(digest, reason: reason) }
    let release = try Self.release(of: envelope)
    guard let rule = rule(for: release.model) else { throw .noRule(release.model) }
    let counted = try countedSigners(signers, for: rule, at: time)
    if let expires = release.details.expires, expires <= time { throw .expired(expires, now: time) }
    return AcceptedManifest(
      release: release,
      envelopeBytes: bytes,
      digest: digest,
      signers: counted,
      rule: rule
    )
  }

  private static func envelope(_ bytes: [UInt8]) throws(TrustError) -> Envelope {
    do {
      return try Envelope(parsing: bytes)
    } catch {
      throw .noEnvelope(error)
    }
  }

  private static func release(of envelope: Envelope) throws(TrustError) -> Release {
    do {
      return try envelope.release()
    } catch {
      throw .unusable(error)
    }
  }

  /// Why an envelope with these names of signers is refused, when no signature in it verifies.
  private func refusal(claimed: [String]) -> TrustError {
    let named = keys.values.filter { claimed.contains($0.fingerprint.description) }
    guard named.isEmpty else {
      return .brokenSignature(named.sorted { $0.fingerprint < $1.fingerprint })
    }
    return .untrustedSigner(claimed: claimed)
  }

  /// Throws `noCurrentSigner` unless one of the signers is neither withdrawn nor past its end.
  private func requireCurrentSigner(
    _ signers: Set<Fingerprint>,
    at time: Timestamp
  ) throws(TrustError) {
    let ignored = signers.sorted().compactMap { fingerprint in
      keys[fingerprint].flatMap { key in
        endReason(of: key, at: time).map { IgnoredSigner(key: key, reason: $0) }
      }
    }
    guard ignored.count < signers.count else { throw .noCurrentSigner(ignored) }
  }

  /// Why the signatures of a trusted key no longer count; nil while they do.
  private func endReason(of key: TrustedKey, at time: Timestamp) -> IgnoredSigner.Reason? {
    if let reason = withdrawnKeys[key.fingerprint] { return .withdrawn(reason) }
    guard let end = key.notAfter, end < time else { return nil }
    return .ended(end)
  }

  /// The signers that `rule` counts, if they reach its threshold.
  private func countedSigners(
    _ signers: Set<Fingerprint>,
    for rule: TrustRule,
    at time: Timestamp
  ) throws(TrustError) -> [TrustedKey] {
    var counted: [TrustedKey] = []
    var ignored: [IgnoredSigner] = []
    for fingerprint in signers.sorted() {
      guard let key = keys[fingerprint] else { continue }
      if !rule.keys.contains(fingerprint) {
        ignored.append(IgnoredSigner(key: key, reason: .notInRule))
      } else if let reason = endReason(of: key, at: time) {
        ignored.append(IgnoredSigner(key: key, reason: reason))
      } else {
        counted.append(key)
      }
    }
    guard counted.count >= rule.threshold else {
      throw .tooFewSigners(rule: rule, counted: counted.map(\.fingerprint), ignored: ignored)
    }
    return counted
  }
}

/// A trusted key whose good signature does not count, and why.
package struct IgnoredSigner: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case notInRule
    case withdrawn(String)
    case ended(Timestamp)
  }

  package let key: TrustedKey
  package let reason: Reason

  package init(key: TrustedKey, reason: Reason) {
    self.key = key
    self.reason = reason
  }
}
