package import Manifests

/// The choice of a release: the newest that is wanted, is not withdrawn, and that this client can run.
///
/// A value without network: it names the release whose manifest is looked at next, and is told what the trust policy
/// said of that.
///
///     var choice = try ReleaseChoice(demand, of: model, among: entries, withdrawn: withdrawn)
///     while true {
///       let manifest = fetch(choice.candidate)
///       if let chosen = try choice.consider(policy.accept(manifest), given: runtimes) { return chosen }
///     }
package struct ReleaseChoice: Sendable {
  /// A release that is newer than the chosen one, and why it is not chosen.
  package struct Passed: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
      /// The stated runtimes do not satisfy it, or none is stated.
      case runtime(RuntimeVerdict)
      /// The client's own trust policy has its manifest among the withdrawn ones.
      case withdrawn(String)
      /// A person has marked it bad here.
      case markedBad(String)
    }

    package let version: Version
    package let reason: Reason

    package init(version: Version, reason: Reason) {
      (self.version, self.reason) = (version, reason)
    }
  }

  /// The newer releases that were passed over, the newest first.
  package private(set) var passed: [Passed] = []
  /// The release whose manifest is looked at next.
  package private(set) var candidate: ReleaseEntry
  /// The others, the newest last.
  private var others: [ReleaseEntry]

  /// Starts with the newest release that is wanted.
  ///
  /// - Throws: `withdrawn` where the one version that is wanted is withdrawn; `noRelease` where nothing fits.
  package init(
    _ demand: ReleaseDemand,
    of model: ModelName,
    among entries: [ReleaseEntry],
    withdrawn: WithdrawnReleases
  ) throws(RepositoryError) {
    let current = entries.filter {
      $0.model == model && withdrawn.release(model, $0.version) == nil
    }
    var fitting = current.filter(demand.admits).sorted { $0.version < $1.version }
    guard let newest = fitting.popLast() else {
      if case .exactly(let version) = demand.range,
        let release = withdrawn.release(model, version)
      {
        throw .withdrawn(release)
      }
      throw .noRelease(model, demand, among: current.sorted { $0.version < $1.version })
    }
    (candidate, others) = (newest, fitting)
  }

  /// Judges the manifest of the candidate, and goes on to the next older release if this client cannot run it.
  ///
  /// - Parameters:
  ///   - accepted: What the trust policy has accepted.
  ///   - statements: The stated runtimes; nil where the release is not to be run.
  /// - Returns: The manifest, if it is the one to install.
  /// - Throws: `contradiction` where the manifest is not the one of the entry; `noUsableRelease` after the last one.
  package mutating func consider(
    _ accepted: AcceptedManifest,
    given statements: [RuntimeStatement]?
  ) throws(RepositoryError) -> AcceptedManifest? {
    try candidate.requireAgreement(with: accepted.release)
    guard let statements else { return accepted }
    let verdict = accepted.release.runtimeVerdict(given: statements)
    if verdict.isSatisfied { return accepted }
    try pass(.runtime(verdict))
    return nil
  }

  /// Goes on to the next older release, since the client's own policy has withdrawn the candidate.
  package mutating func passWithdrawn(reason: String) throws(RepositoryError) {
    try pass(.withdrawn(reason))
  }

  /// Goes on to the next older release, since a person has marked the candidate bad.
  package mutating func passMarkedBad(reason: String) throws(RepositoryError) {
    try pass(.markedBad(reason))
  }

  private mutating func pass(_ reason: Passed.Reason) throws(RepositoryError) {
    passed.append(Passed(version: candidate.version, reason: reason))
    guard let next = others.popLast() else {
      throw .noUsableRelease(candidate.model, passed)
    }
    candidate = next
  }
}

extension ReleaseEntry {
  /// Throws `contradiction` unless the signed manifest says of the release what the list says.
  package func requireAgreement(with release: Release) throws(RepositoryError) {
    guard release.model == model, release.version == version, release.released == released else {
      throw .contradiction(
        self,
        found: ReleaseEntry(release, channels: channels)
      )
    }
  }
}
