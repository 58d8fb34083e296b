import Auditing
import Digests
import Manifests

/// Reports that no disk was read for.
enum Samples {
  static let digest = SHA256Digest(of: [1, 2, 3])
  static let other = SHA256Digest(of: [3, 2, 1])

  static func table(_ lengths: [Int]) -> ChunkTable {
    var table = ChunkTable()
    for length in lengths { table.append(length: length, digest: digest) }
    return table
  }

  /// A report of one version with these files.
  static func report(
    _ files: [AuditedFile],
    findings: [AuditFinding] = [],
    subject: AuditReport.Subject = .store(path: "/store"),
    mode: AuditMode = .full,
    resumedFrom: AuditCursor? = nil,
    unfinished: AuditReport.Unfinished? = nil
  ) throws -> AuditReport {
    let time = try Timestamp("2026-11-30T00:00:00Z")
    let version = AuditedVersion(
      version: try Version("1.0.0"),
      folder: "1.0.0-0123456789abcdef",
      role: .active,
      manifest: digest,
      isTrusted: true,
      signers: [.init(fingerprint: "SHA256:abc", name: "release", counts: true)],
      released: time,
      acceptedAt: time,
      findings: findings,
      files: files
    )
    return AuditReport(
      tool: .init(name: "sealift", version: "1"),
      host: .init(name: "host", id: nil),
      subject: subject,
      mode: mode,
      policy: .init(path: "/trust.json", digest: other, keyCount: 1, ruleCount: 1, judgedAt: time),
      startedAt: time,
      endedAt: time,
      milliseconds: 5,
      bytesHashed: 10,
      resumedFrom: resumedFrom,
      models: [
        AuditedModel(name: try ModelName("acme/tiny"), generation: 1, versions: [version])
      ],
      unfinished: unfinished
    )
  }

  static func file(_ path: String, _ findings: [AuditFinding] = []) -> AuditedFile {
    AuditedFile(
      path: path,
      signed: .init(size: 10, sha256: digest, chunks: table([4, 4, 2])),
      chunks: [.verified, .wrong, .notRead],
      reading: .cold,
      bytesHashed: 8,
      findings: findings
    )
  }
}
