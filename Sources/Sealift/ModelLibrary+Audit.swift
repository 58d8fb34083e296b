import Auditing
import Manifests
import ModelStore
import Verification

/// What an audit found.
public struct AuditSummary: Hashable, Sendable {
  /// One thing that is not as it was signed, or as the policy or the records of the store want it.
  public struct Finding: Hashable, Sendable {
    /// The model.
    public let model: String
    /// The version; nil for what concerns the whole model.
    public let version: String?
    /// The file within the version; nil for what concerns no single file.
    public let file: String?
    /// The kind of finding in one word, which stays the same, such as `modified`.
    public let verdict: String
    /// The finding in one sentence for people, without a full stop.
    public let text: String
  }

  /// What was found, in the order of models and versions; empty if all is well.
  public let findings: [Finding]
  /// Whether everything was looked at; not where the task was cancelled, or something could not be read.
  public let isComplete: Bool
  /// The versions that were looked at.
  public let versionCount: Int

  /// Whether everything was looked at and nothing was found.
  public var isClean: Bool { isComplete && findings.isEmpty }
}

extension ModelLibrary {
  /// Compares every byte of what is installed with what was signed, and the records of the store with both.
  ///
  /// Writes nothing, takes no lock, and works offline. Cancelling the task ends it early.
  /// - Parameter models: The models to look at; all without one.
  /// - Returns: What was found.
  /// - Throws: A ``ModelFailure`` for what keeps the audit from beginning.
  public func audit(_ models: [String] = []) async throws(ModelFailure) -> AuditSummary {
    var names: [ModelName] = []
    for model in models { names.append(try modelName(model)) }
    var request = AuditRequest(
      judgedAt: try currentTime(),
      policy: policy,
      statements: settings.runtimes
    )
    request.mode = .full
    return try await working { [names, request, storePath] in
      guard let store = try Store.open(reading: storePath) else {
        return AuditSummary(AuditResult())
      }
      for name in names { try store.requireModel(name) }
      let wanted = try names.isEmpty ? store.modelNames() : names
      return try await StopFlag.withFlag { stop in
        AuditSummary(try Auditor(request, pace: AuditPace(stop: stop)).audit(store, wanted))
      }
    }
  }
}

extension AuditSummary {
  init(_ result: AuditResult) {
    findings = result.models.flatMap { model in
      model.findings.map { Finding(model.name, nil, nil, $0) }
        + model.versions.flatMap { version in
          version.findings.map { Finding(model.name, version.version, nil, $0) }
            + version.files.flatMap { file in
              file.findings.map { Finding(model.name, version.version, file.path, $0) }
            }
        }
    }.compactMap { $0 }
    isComplete = result.unfinished == nil
    versionCount = result.models.reduce(0) { $0 + $1.versions.count }
  }
}

extension AuditSummary.Finding {
  fileprivate init?(
    _ model: ModelName,
    _ version: Version?,
    _ file: String?,
    _ finding: AuditFinding
  ) {
    guard finding.counts else { return nil }
    self.init(
      model: model.text,
      version: version?.text,
      file: file.map(escaped),
      verdict: finding.verdict.rawValue,
      text: escaped(finding.text)
    )
  }
}
