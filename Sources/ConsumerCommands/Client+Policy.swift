import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Trust

/// A change of the trust policy that has been written.
struct PolicyChange {
  let before: TrustPolicy
  let after: TrustPolicy
}

extension Client {
  /// Changes the trust policy as `edit` says, while no other process changes it.
  ///
  /// What is wrong with the file is told first, and then nothing is changed.
  func changePolicy(_ edit: (TrustPolicy) throws -> TrustPolicy) throws -> PolicyChange {
    let reservations = try policy().reservations
    var change = PolicyChange(before: TrustPolicy(), after: TrustPolicy())
    try trust.change { policy in
      let before = policy.reserving(reservations)
      change = PolicyChange(before: before, after: try edit(before))
      return change.after
    }
    console.wrote(trust.path)
    return change
  }

  /// Warns of each active version that the policy accepted before a change and does not accept now.
  ///
  /// It stays installed and active: what is trusted decides about the next activation, and no change of trust takes
  /// a working model away. A store that cannot be read is warned about too, and the change stands.
  func warnOfActiveVersions(after change: PolicyChange) throws {
    var lost: [JSONValue] = []
    let now = try Timestamp.current()
    do {
      if let store = try Store.open(reading: folders.store) {
        for name in try store.modelNames() {
          lost += try lostVersion(of: name, in: store, after: change, at: now)
        }
      }
    } catch {
      warnOfDoubt(about: "installed versions", error)
    }
    console.summarize(["noLongerAccepted": .array(lost)])
  }

  private func lostVersion(
    of name: ModelName,
    in store: borrowing Store,
    after change: PolicyChange,
    at now: Timestamp
  ) throws -> [JSONValue] {
    do {
      let model = try store.model(name)
      guard let active = try model.status().record.record?.active else { return [] }
      do {
        _ = try model.accept(active.name, by: change.before, now: now)
      } catch is TrustError {
        return []
      }
      do {
        _ = try model.accept(active.name, by: change.after, now: now)
        return []
      } catch let refusal as TrustError {
        let previous = try model.status().record.record?.previous
        let goesBack =
          try previous.map { try isAccepted($0.name, in: model, by: change.after, at: now) }
          ?? false
        let way =
          goesBack
          ? "install another version, or go back: sealift rollback \(name)"
          : change.after.reservation(for: name) == nil
            ? "install another version"
            : "sealift update \(name) brings the newest release that is accepted"
        warn(name, active.version, refusal, way: way)
        return [["model": .string(name.text), "version": .string(active.version.text)]]
      }
    } catch  where Self.isMatterOfOneModel(error) || error is InstallError {
      warnOfDoubt(about: "the active version of \(name)", error)
      return []
    }
  }

  private func isAccepted(
    _ version: VersionName,
    in model: borrowing StoredModel,
    by policy: TrustPolicy,
    at now: Timestamp
  ) throws -> Bool {
    do {
      _ = try model.accept(version, by: policy, now: now)
      return true
    } catch  where error is TrustError || error is InstallError || error is StoreError {
      return false
    }
  }

  private func warn(
    _ name: ModelName,
    _ version: Version,
    _ refusal: TrustError,
    way: String
  ) {
    let reason = ConsumerTool.explain(refusal)
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: .noLongerAccepted,
        "\(name) \(version) is active, and its manifest is no longer accepted",
        notes: [reason.message] + reason.notes + ["it stays installed and active"],
        helps: [
          way,
          "sealift remove \(name) takes it away",
        ]
      )
    )
  }

  /// The policy for a command that shows what is installed, which it does without one too: nil, with a warning, where the
  /// policy or the list of repositories cannot be read.
  func policyIfReadable() -> (policy: TrustPolicy, repositories: [PinnedRepository])? {
    do {
      return try policyWithRepositories()
    } catch {
      warnOfDoubt(about: "what is installed", error)
      return nil
    }
  }

  private func warnOfDoubt(about subject: String, _ error: any Error) {
    let reason = ConsumerTool.explain(error)
    console.warn(
      Diagnostic(
        reason.exitCode,
        kind: .unknownAcceptance,
        "nobody knows whether \(subject) would be accepted now",
        notes: [reason.message] + reason.notes,
        helps: reason.helps
      )
    )
  }
}

extension TrustPolicy {
  /// Warns of a rule that accepts nothing, since too few of its keys count.
  func warnIfUnmet(_ rule: TrustRule, at now: Timestamp, _ console: Console) {
    let counting = countingKeys(of: rule, at: now).count
    guard counting < rule.threshold else { return }
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: .unmetRule,
        "the rule \(rule.words) accepts nothing: \(counting == 0 ? "no key" : "only \(counted(counting, "key"))") of it counts now",
        helps: [
          "sealift trust add replaces the rule; sealift trust show '\(rule.models.text)' says more"
        ]
      )
    )
  }
}
