import Digests
import Manifests
import Signatures
import Trust

/// What is said of the manifest of a version: a pure value.
struct ManifestJudgement: Equatable {
  /// The release; nil where no manifest of the version can be read.
  let release: Release?
  let digest: SHA256Digest?
  let isTrusted: Bool
  let signers: [AuditedVersion.Signer]
  let findings: [AuditFinding]

  /// Judges the bytes of an envelope.
  ///
  /// A manifest that nobody signed whom the policy knows is read all the same, if its digest is `expected` or the caller
  /// brought it: whether bytes are those of a manifest is one question, and whose manifest it is another.
  init(_ bytes: [UInt8], by policy: TrustPolicy, acceptedAt: Timestamp?, at time: Timestamp) {
    let judgement = policy.judgement(onInstalled: bytes, acceptedAt: acceptedAt, at: time)
    let verdict = judgement.verdict
    isTrusted = judgement.refusals.isEmpty
    signers = verdict.signers.compactMap(AuditedVersion.Signer.init)
    digest = verdict.digest
    release = verdict.release ?? (try? Envelope(parsing: bytes)).flatMap { try? $0.release() }
    let model = release?.model
    findings = judgement.refusals.flatMap { refusal in
      AuditFinding.findings(model.map { policy.refusal(refusal, of: $0) } ?? refusal)
    }
  }

  /// A version of which no manifest can be read.
  init(lacking finding: AuditFinding) {
    (release, digest, isTrusted, signers, findings) = (nil, nil, false, [], [finding])
  }
}

extension AuditedVersion.Signer {
  fileprivate init?(_ signer: TrustVerdict.Signer) {
    guard signer.standing != .absent else { return nil }
    self.init(
      fingerprint: signer.key.fingerprint.description,
      name: signer.key.name,
      counts: signer.standing == .counts
    )
  }
}

extension AuditFinding {
  /// The words for a manifest that the policy refuses; several where several keys have lost their standing.
  fileprivate static func findings(_ refusal: TrustError) -> [AuditFinding] {
    switch refusal {
    case .noEnvelope(let error), .unusable(let error):
      [AuditFinding(.manifestInvalid, expected: "a manifest", note: "\(error)")]
    case .untrustedSigner(let claimed):
      [
        AuditFinding(
          .signatureUntrusted,
          expected: "a signature by a key of the policy",
          actual: claimed.isEmpty
            ? "no signature" : "signatures that claim \(claimed.joined(separator: ", "))"
        )
      ]
    case .brokenSignature(let keys):
      [
        AuditFinding(
          .signatureUntrusted,
          expected: "a signature by \(keys.map(\.words).joined(separator: ", "))",
          actual: "one that does not verify"
        )
      ]
    case .noRule(let model):
      [AuditFinding(.signatureUntrusted, expected: "a rule for \(model)", actual: "none")]
    case .reserved(let model, let repository, let problem):
      [
        AuditFinding(
          .signatureUntrusted,
          expected: "a release of the repository \(repository), to which \(model) belongs",
          actual: words(for: problem)
        )
      ]
    case .noCurrentSigner(let ignored, _):
      findings(ignored, expected: "a signature by a key that counts", counted: 0)
    case .tooFewSigners(let rule, let counted, let ignored):
      findings(
        ignored,
        expected: "\(rule.threshold) of the keys of the rule \(rule.models.text)",
        counted: counted.count
      )
    case .withdrawnSigner(let keys, _):
      keys.sorted { $0.key < $1.key }.map { key, reason in
        AuditFinding(
          .keyRevoked,
          expected: "a signature by a key that counts",
          actual: "one that claims \(key)",
          note: "withdrawn: \(reason)"
        )
      }
    case .withdrawnManifest(let digest, let reason):
      [
        AuditFinding(
          .manifestWithdrawn,
          expected: "a manifest that is not withdrawn",
          actual: digest.hex,
          note: "reason: \(reason)"
        )
      ]
    case .expired(let end, let now):
      [AuditFinding(.expiredManifest, expected: "valid at \(now)", actual: "valid until \(end)")]
    case .downgrade, .replaced, .unknownFloor, .badPattern, .badThreshold, .repeatedPattern,
      .repeatedKey, .unknownKey, .withdrawnKey, .exportKeyInRule, .noSuchRule, .noSuchKey,
      .keyNotWithdrawn, .manifestNotWithdrawn, .badPolicy, .noReport, .tooFewReportSigners,
      .unusableReport, .brokenChain:
      [AuditFinding(.signatureUntrusted, note: "\(refusal)")]
    }
  }

  private static func words(for problem: ReservationProblem) -> String {
    switch problem {
    case .noPolicy: "no trust policy of that repository yet"
    case .damagedPolicy: "a trust policy of that repository that cannot be read"
    case .foreignSigner: "no signature by a key of its trust policy"
    case .noRule: "no rule about the model in its trust policy"
    }
  }

  private static func findings(
    _ ignored: [IgnoredSigner],
    expected: String,
    counted: Int
  ) -> [AuditFinding] {
    let lost = ignored.compactMap { signer -> AuditFinding? in
      switch signer.reason {
      case .withdrawn(let reason):
        AuditFinding(
          .keyRevoked,
          expected: expected,
          actual: signer.key.words,
          note: "withdrawn: \(reason)"
        )
      case .ended(let end):
        AuditFinding(
          .keyExpired,
          expected: expected,
          actual: signer.key.words,
          note: "ended at \(end)"
        )
      case .notInRule, .exportOnly: nil
      }
    }
    guard lost.isEmpty else { return lost }
    let others = ignored.map(\.key.words).joined(separator: ", ")
    return [
      AuditFinding(
        .signatureUntrusted,
        expected: expected,
        actual: "\(counted) that count" + (others.isEmpty ? "" : ", and \(others) that do not")
      )
    ]
  }
}

extension TrustedKey {
  fileprivate var words: String { "\(name) \(fingerprint)" }
}
