package import Digests
package import Manifests

/// What an audit looked at, by which rules, and what it found: the value behind every format.
///
/// It holds no words for people but those that came with the findings. Whatever in it came from a file, such as a path
/// or a reason, needs escaping before anybody prints it.
package struct AuditReport: Hashable, Sendable {
  /// The program that made the report.
  package struct Tool: Hashable, Sendable {
    package let name: String
    package let version: String

    package init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// The machine on which the audit ran.
  package struct Host: Hashable, Sendable {
    package let name: String
    /// Follows from the machine's own number without telling it; nil where there is none.
    package let id: String?

    package init(name: String, id: String?) {
      self.name = name
      self.id = id
    }
  }

  /// What was audited.
  package enum Subject: Hashable, Sendable {
    case store(path: String)
    case folder(path: String, manifest: String)

    package var path: String {
      switch self {
      case .store(let path), .folder(let path, _): path
      }
    }
  }

  /// The trust policy by which manifests were judged.
  package struct Policy: Hashable, Sendable {
    package let path: String
    /// The digest of the policy in its canonical form, whatever the file looks like.
    package let digest: SHA256Digest
    package let keyCount: Int
    package let ruleCount: Int
    /// The time at which withdrawals and expiries were judged: now, or as asked.
    package let judgedAt: Timestamp
    /// The folder whose manifests stood in for those of the store; nil for the store's own.
    package let manifests: String?

    package init(
      path: String,
      digest: SHA256Digest,
      keyCount: Int,
      ruleCount: Int,
      judgedAt: Timestamp,
      manifests: String? = nil
    ) {
      self.path = path
      self.digest = digest
      self.keyCount = keyCount
      self.ruleCount = ruleCount
      self.judgedAt = judgedAt
      self.manifests = manifests
    }
  }

  /// Files that a person asked not to be told about: findings about them count for nothing, and are left out.
  package struct Ignored: Hashable, Sendable {
    package let pattern: String
    /// When the rule ends; nil for one that holds for this run alone.
    package let until: Timestamp?
    /// Whether it had ended already, so that nothing was ignored by it.
    package let hasEnded: Bool
    /// The findings that were left out by it.
    package let count: Int

    package init(pattern: String, until: Timestamp?, hasEnded: Bool, count: Int) {
      self.pattern = pattern
      self.until = until
      self.hasEnded = hasEnded
      self.count = count
    }
  }

  /// Why an audit did not come to its end.
  package struct Unfinished: Hashable, Sendable {
    package enum Reason: String, CaseIterable, Hashable, Sendable {
      case deadline
      case interrupted
      /// Something could not be read that is needed to judge.
      case failure
    }

    package let reason: Reason
    /// What failed, one text for each; empty for other reasons.
    package let failures: [String]
    /// Where to go on with `--resume`; nil where a run from the start is due.
    package let cursor: AuditCursor?

    package init(_ reason: Reason, failures: [String] = [], cursor: AuditCursor? = nil) {
      self.reason = reason
      self.failures = failures
      self.cursor = cursor
    }
  }

  package let tool: Tool
  package let host: Host
  package let subject: Subject
  package let mode: AuditMode
  package let policy: Policy
  package let startedAt: Timestamp
  package let endedAt: Timestamp
  /// The time that the audit took, in milliseconds.
  package let milliseconds: Int
  /// The bytes that were read and hashed.
  package let bytesHashed: Int
  /// Where the run went on from an earlier one; what stands before it was not looked at again.
  package let resumedFrom: AuditCursor?
  package let ignored: [Ignored]
  package let models: [AuditedModel]
  package let unfinished: Unfinished?

  package init(
    tool: Tool,
    host: Host,
    subject: Subject,
    mode: AuditMode,
    policy: Policy,
    startedAt: Timestamp,
    endedAt: Timestamp,
    milliseconds: Int,
    bytesHashed: Int,
    resumedFrom: AuditCursor? = nil,
    ignored: [Ignored] = [],
    models: [AuditedModel],
    unfinished: Unfinished? = nil
  ) {
    self.tool = tool
    self.host = host
    self.subject = subject
    self.mode = mode
    self.policy = policy
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.milliseconds = milliseconds
    self.bytesHashed = bytesHashed
    self.resumedFrom = resumedFrom
    self.ignored = ignored
    self.models = models
    self.unfinished = unfinished
  }
}

extension AuditReport {
  /// How an audit ended, from which follows the exit code.
  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// 0
    case clean
    /// 10
    case findings
    /// 8
    case unfinished
  }

  package var outcome: Outcome {
    if unfinished != nil { return .unfinished }
    return findings.contains { $0.finding.counts } ? .findings : .clean
  }
}
