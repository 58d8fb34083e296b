package import Manifests
package import Trust

/// What is asked of an audit.
package struct AuditRequest: Sendable {
  /// Files that nobody wants to hear of, and until when.
  package struct Ignore: Hashable, Sendable {
    package let pattern: PathGlob
    package let until: Timestamp?

    package init(_ pattern: PathGlob, until: Timestamp?) {
      self.pattern = pattern
      self.until = until
    }
  }

  package var mode = AuditMode.full
  /// Whether bytes are read past the page cache, where the file system can do that.
  package var isDirect = false
  /// Whether the digest of whole files is compared too.
  package var checksWholeFiles = false
  package var ignore: [Ignore] = []
  package var resume: AuditCursor?
  /// The time at which withdrawals and expiries are judged.
  package let judgedAt: Timestamp
  package let policy: TrustPolicy
  /// The runtimes that this machine states.
  package let statements: [RuntimeStatement]
  /// The manifests that stand in for those of the store, by model and version; nil for the store's own.
  ///
  /// Gives nil for a version of which it has none.
  package var manifests: (@Sendable (ModelName, Version) throws -> [UInt8]?)?

  package init(judgedAt: Timestamp, policy: TrustPolicy, statements: [RuntimeStatement]) {
    self.judgedAt = judgedAt
    self.policy = policy
    self.statements = statements
  }
}

/// What an audit found, without who asked for it and when.
package struct AuditResult: Hashable, Sendable {
  package var models: [AuditedModel] = []
  package var ignored: [AuditReport.Ignored] = []
  package var unfinished: AuditReport.Unfinished?

  package init() {}
}
