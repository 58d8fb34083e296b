import Auditing
import Digests
import Manifests
import Testing

/// Reports as audits make them, in memory: each format is asked for each of them.
enum ReportScene: String, CaseIterable, CustomTestStringConvertible {
  case clean, quick, sampled, damaged, everyVerdict, unfinished, ignoring, folder, empty, hostile
  case manyChunks, moreChunks, cutAtTensors, allWrong, cleanMany, cleanMore

  var testDescription: String { rawValue }

  func report() throws -> AuditReport {
    switch self {
    case .clean: try Self.report([Self.model("tiny", [Self.version()])])
    case .quick:
      try Self.report([Self.model("tiny", [Self.version(reading: .none)])], mode: .quick, bytes: 0)
    case .sampled:
      try Self.report(
        [Self.model("tiny", [Self.version(files: [Self.file("model.gguf", 1_500, unread: 10)])])],
        mode: .sample(AuditSample(.share(basisPoints: 250), seed: 7))
      )
    case .damaged: try Self.damaged(chunks: 1_500)
    case .everyVerdict: try Self.everyVerdict()
    case .unfinished:
      try Self.report(
        [Self.model("tiny", [Self.version(files: [Self.file("model.gguf", 40, unread: 1)])])],
        unfinished: AuditReport.Unfinished(
          .failure,
          failures: ["models/acme+large/active.json: Input/output error", "<b>no</b> \"lease\""],
          cursor: try AuditCursor(model: ModelName("tiny"), version: "1.0.0", file: 0, chunk: 12)
        )
      )
    case .ignoring: try Self.ignoring()
    case .folder:
      try Self.report(
        [
          Self.model(
            "tiny",
            [
              Self.version(
                folder: nil,
                role: .folder,
                files: [Self.damagedFile("model.gguf", 12, [3])]
              )
            ]
          )
        ],
        subject: .folder(path: "/srv/models/tiny [1]", manifest: "m.json")
      )
    case .empty: try Self.report([], bytes: 0)
    case .hostile: try Self.hostile()
    case .manyChunks: try Self.damaged(chunks: 8_000)
    case .moreChunks: try Self.damaged(chunks: 131_072)
    case .cutAtTensors:
      try Self.report([
        Self.model(
          "tiny",
          [
            Self.version(files: [
              Self.damagedFile("model.gguf", 300, [0, 7, 8, 299], isEven: false)
            ])
          ]
        )
      ])
    case .allWrong:
      try Self.report([
        Self.model(
          "tiny",
          [Self.version(files: [Self.damagedFile("model.gguf", 2_000, Array(0..<2_000))])]
        )
      ])
    case .cleanMany: try Self.large(chunks: 1_500)
    case .cleanMore: try Self.large(chunks: 8_000)
    }
  }

  // MARK: Parts

  /// What an attacker may write into every text of a report.
  static let hostileTexts = [
    "<script>alert(1)</script>", "\" onload=\"alert(1)",
    "' & ]]> --> {0} [x](https://evil.example)",
    "line\r\nend\ttab", "\u{1B}[31mred\u{7}\u{2400}", "=cmd|' /C calc'!A0", "+1+1", "-2",
    "@SUM(A1)",
    "\u{202E}gnp.exe\u{2066}", " =1+1", "\u{FEFF}\u{FFFE}\u{E000}\u{2028}", "\\u{1b}\\n\"}",
    String(repeating: "é", count: 127) + "x", "model.gguf\u{3000}",
    // A quote and the mark on it are one character, and not a quote.
    "x\"\u{301},\"=cmd()",
  ]

  static func report(
    _ models: [AuditedModel],
    subject: AuditReport.Subject = .store(path: "/var/lib/sealift"),
    mode: AuditMode = .full,
    bytes: Int? = nil,
    ignored: [AuditReport.Ignored] = [],
    unfinished: AuditReport.Unfinished? = nil
  ) throws -> AuditReport {
    let hashed = models.flatMap(\.versions).flatMap(\.files).reduce(0) { $0 + $1.bytesHashed }
    return AuditReport(
      tool: AuditReport.Tool(name: "sealift", version: "0.1.0"),
      host: AuditReport.Host(name: "build-7", id: "9f2c4e01"),
      subject: subject,
      mode: mode,
      policy: AuditReport.Policy(
        path: "/etc/sealift/trust.json",
        digest: SHA256Digest(of: Array("policy".utf8)),
        keyCount: 2,
        ruleCount: 1,
        judgedAt: try Timestamp("2026-11-30T18:40:11Z")
      ),
      startedAt: try Timestamp("2026-11-30T18:40:11Z"),
      endedAt: try Timestamp("2026-11-30T18:40:15Z"),
      milliseconds: 4_120,
      bytesHashed: bytes ?? hashed,
      ignored: ignored,
      models: models,
      unfinished: unfinished
    )
  }

  static func model(
    _ name: String,
    _ versions: [AuditedVersion],
    findings: [AuditFinding] = []
  ) throws -> AuditedModel {
    AuditedModel(name: try ModelName(name), generation: 3, findings: findings, versions: versions)
  }

  static func version(
    _ text: String = "1.0.0",
    folder: String? = "",
    role: AuditedVersion.Role = .active,
    isTrusted: Bool = true,
    findings: [AuditFinding] = [],
    reading: AuditedFile.Reading = .cold,
    files: [AuditedFile]? = nil
  ) throws -> AuditedVersion {
    let manifest = digest("manifest \(text)")
    return AuditedVersion(
      version: try Version(text),
      folder: folder.map { $0.isEmpty ? "\(text)-\(manifest.hex.prefix(16))" : $0 },
      role: role,
      manifest: manifest,
      isTrusted: isTrusted,
      signers: [
        AuditedVersion.Signer(
          fingerprint: "SHA256:6UDwLJW8WQWD+xkLIQy2TT9cbN4wiT9O2Jo+5OFOy+k",
          name: "release",
          counts: isTrusted
        )
      ],
      released: try Timestamp("2026-10-02T00:00:00Z"),
      acceptedAt: try Timestamp("2026-10-03T07:15:00Z"),
      findings: findings,
      files: files ?? [
        file("config.json", 0, reading: reading), file("model.gguf", 300, reading: reading),
        file("tokenizer.json", 3, reading: reading),
      ]
    )
  }

  /// A file that is as signed; `unread` leaves out all chunks but one in so many.
  static func file(
    _ path: String,
    _ count: Int,
    reading: AuditedFile.Reading = .cold,
    unread: Int? = nil,
    findings: [AuditFinding] = []
  ) -> AuditedFile {
    let table = table(path, count, isEven: true)
    let states = (0..<count).map { index -> AuditedFile.ChunkState in
      if reading == .none { return .notRead }
      guard let unread else { return .verified }
      return unread > 1 && index % unread == 0 || unread == 1 && index < 12 ? .verified : .notRead
    }
    let size = count == 0 ? 1_234 : table.size
    let read = count == 0 ? size : states.count { $0 == .verified } << 20
    return AuditedFile(
      path: path,
      signed: AuditedFile.Signed(
        size: size,
        sha256: digest(path),
        chunks: count == 0 ? nil : table
      ),
      chunks: states,
      reading: reading,
      bytesHashed: reading == .none ? 0 : read,
      findings: findings
    )
  }

  static func damagedFile(
    _ path: String,
    _ count: Int,
    _ wrong: [Int],
    isEven: Bool = true
  ) -> AuditedFile {
    let table = table(path, count, isEven: isEven)
    let chunks = wrong.map { index in
      WrongChunk(
        index: index,
        range: table.chunks[index].range,
        expected: table.chunks[index].digest,
        found: digest("wrong \(index)")
      )
    }
    let set = Set(wrong)
    return AuditedFile(
      path: path,
      signed: AuditedFile.Signed(size: table.size, sha256: digest(path), chunks: table),
      chunks: (0..<count).map { set.contains($0) ? .wrong : .verified },
      reading: .cold,
      bytesHashed: table.size,
      findings: [
        AuditFinding(
          .modified,
          expected: digest(path).hex,
          actual: digest("found \(path)").hex,
          note: "read twice, with the same result",
          chunks: chunks
        )
      ]
    )
  }

  static func digest(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

  private static func table(_ path: String, _ count: Int, isEven: Bool) -> ChunkTable {
    var table = ChunkTable()
    for index in 0..<count {
      let length = isEven ? 1 << 20 : 1_000 + index * 977 % 60_000
      table.append(length: length, digest: digest("\(path) \(index)"))
    }
    return table
  }
}
