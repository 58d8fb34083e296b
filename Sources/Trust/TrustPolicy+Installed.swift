package import Manifests

/// What a policy says of the manifest of a release that is installed, in parts that do not hide each other.
package struct InstalledJudgement: Equatable, Sendable {
  /// What is found out about the signatures, with all that led to it.
  package let verdict: TrustVerdict
  /// Why the manifest is not accepted; empty if it is.
  package let refusals: [TrustError]
}

extension TrustPolicy {
  /// Judges the manifest of a release that was accepted before.
  ///
  /// The end of a key is compared with the time at which this client first accepted the manifest, or with `time` where
  /// that is not known or later; withdrawals, and the end of the release itself, with `time`. A release that has expired
  /// and whose signers do not count either is refused for both.
  package func judgement(
    onInstalled bytes: [UInt8],
    acceptedAt: Timestamp?,
    at time: Timestamp
  ) -> InstalledJudgement {
    let verdict = verdict(on: bytes, at: acceptedAt.map { min($0, time) } ?? time)
    var refusals = verdict.refusal.map { [$0] } ?? []
    if case .expired? = verdict.refusal {
      return InstalledJudgement(verdict: verdict, refusals: refusals)
    }
    do {
      try verdict.release?.requireUnexpired(at: time)
    } catch {
      refusals.append(error)
    }
    return InstalledJudgement(verdict: verdict, refusals: refusals)
  }
}
