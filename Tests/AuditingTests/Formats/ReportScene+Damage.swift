import Auditing
import Digests
import Manifests

/// Reports with much in them.
extension ReportScene {
  /// Damage to a large file beside a version that is trusted no longer, and one that is right.
  static func damaged(chunks count: Int) throws -> AuditReport {
    let wrong = [count / 7, count / 7 + 1, count * 2 / 5, count * 4 / 5 + 3]
    let damaged = try version(
      findings: [
        AuditFinding(.stampMismatch, expected: "inode 4711", actual: "inode 4712")
      ],
      files: [
        file("config.json", 0), damagedFile("LFM2-2.6B-Q4_K_M.gguf", count, wrong),
        AuditedFile(
          path: "notes.txt",
          signed: nil,
          findings: [AuditFinding(.extra, actual: "a file of 12 bytes")]
        ),
        file(
          "tokenizer.json",
          3,
          findings: [AuditFinding(.wrongMode, expected: "0444", actual: "0644")]
        ),
      ]
    )
    let revoked = try version(
      "2.1.0-rc.1",
      isTrusted: false,
      findings: [
        AuditFinding(
          .keyRevoked,
          expected: "a key that is accepted",
          actual: "SHA256:6UDwLJW8WQWD+xkLIQy2TT9cbN4wiT9O2Jo+5OFOy+k",
          note: "withdrawn: the laptop was lost"
        ), AuditFinding(.runtimeUnknown, expected: "llama.cpp b5873"),
      ]
    )
    return try report([
      model("acme/tiny-chat", [revoked, try version("2.0.0", role: .previous)]),
      model("lfm2-2.6b", [damaged]),
    ])
  }

  /// Models in which nothing is wrong, one of them large.
  static func large(chunks count: Int) throws -> AuditReport {
    try report([
      model("acme/tiny-chat", [try version("2.1.0"), try version("2.0.0", role: .previous)]),
      model(
        "lfm2-2.6b",
        [try version(files: [file("config.json", 0), file("LFM2-2.6B-Q4_K_M.gguf", count)])]
      ),
    ])
  }

  /// Every verdict once, where it belongs.
  static func everyVerdict() throws -> AuditReport {
    func finding(_ verdict: AuditVerdict) -> AuditFinding {
      AuditFinding(verdict, expected: "what was signed", actual: "what was found", note: "a note")
    }
    let ofFiles = AuditVerdict.allCases.filter { $0.axis == .integrity && $0 != .ok }
    let ofModels: [AuditVerdict] = [.belowFloor, .recordMismatch, .recordDamaged, .markedBad]
    let ofVersions = AuditVerdict.allCases.filter {
      $0.axis != .integrity && !ofModels.contains($0)
    }
    let files = ofFiles.map { verdict in
      verdict == .modified
        ? damagedFile("modified.gguf", 12, [2, 3, 9])
        : file("\(verdict.rawValue).json", 2, findings: [finding(verdict)])
    }
    let unread = file("unread.gguf", 4, reading: .none, findings: [finding(.notChecked)])
    return try report([
      model(
        "acme/tiny-chat",
        [
          try version(
            isTrusted: false,
            findings: ofVersions.map(finding),
            files: files + [file("ok.json", 1), unread]
          )
        ],
        findings: ofModels.map(finding)
      )
    ])
  }

  static func ignoring() throws -> AuditReport {
    try report(
      [model("tiny", [try version()])],
      ignored: [
        AuditReport.Ignored(pattern: "*.lock", until: nil, hasEnded: false, count: 2),
        AuditReport.Ignored(
          pattern: "notes<1>.txt",
          until: try Timestamp("2026-01-01T00:00:00Z"),
          hasEnded: true,
          count: 0
        ),
      ]
    )
  }

  /// Every text that can come from outside, as bad as it can be.
  static func hostile() throws -> AuditReport {
    let files = hostileTexts.map { text in
      AuditedFile(
        path: text,
        signed: nil,
        findings: [AuditFinding(.extra, expected: text, actual: text, note: text)]
      )
    }
    let bad = hostileTexts.joined()
    let version = AuditedVersion(
      version: try Version("1.0.0"),
      folder: bad,
      role: .active,
      manifest: nil,
      isTrusted: false,
      signers: hostileTexts.map {
        AuditedVersion.Signer(fingerprint: $0, name: $0, counts: false)
      },
      findings: [AuditFinding(.manifestInvalid, expected: bad, actual: bad, note: bad)],
      files: files
    )
    return AuditReport(
      tool: AuditReport.Tool(name: "sealift", version: "0.1.0"),
      host: AuditReport.Host(name: bad, id: bad),
      subject: .store(path: "/" + bad),
      mode: .full,
      policy: AuditReport.Policy(
        path: bad,
        digest: digest("policy"),
        keyCount: 0,
        ruleCount: 0,
        judgedAt: try Timestamp("2026-11-30T18:40:11Z"),
        manifests: bad
      ),
      startedAt: try Timestamp("2026-11-30T18:40:11Z"),
      endedAt: try Timestamp("2026-11-30T18:40:15Z"),
      milliseconds: 7,
      bytesHashed: 0,
      ignored: hostileTexts.map {
        AuditReport.Ignored(pattern: $0, until: nil, hasEnded: false, count: 0)
      },
      models: [
        try model(
          "tiny",
          [version],
          findings: [AuditFinding(.recordDamaged, actual: bad, note: bad)]
        )
      ],
      unfinished: AuditReport.Unfinished(.failure, failures: hostileTexts)
    )
  }
}
