import Auditing
import CommandErrors
import CommandLineKit
import Digests
import Manifests
import ModelStore
import Signatures
import StrictJSON
import SystemFiles
import Trust
import Verification

/// Compares what is installed with what was signed, and reports it.
struct AuditCommand: Command {
  static let name = ["audit"]
  static let summary =
    "compares what is installed with what was signed, and writes nothing but a report"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL", arity: .any, "the models to look at; all without one")],
    options: AuditOptions.options + [
      OptionHelp(
        "--at",
        value: "TIME",
        "judges withdrawals and expiries at this time instead of now"
      ),
      OptionHelp("--trust", value: "FILE", "judges by this trust policy instead of the client's"),
      OptionHelp(
        "--manifests",
        value: "DIR",
        "takes manifests from DIR/MODEL/VERSION.json instead of the store"
      ),
      OptionHelp("--directory", value: "DIR", "looks at this folder instead of a store"),
      OptionHelp("--manifest", value: "FILE", "the manifest of --directory"),
      OptionHelp(
        "--format",
        value: "FORMAT",
        accepts: .words(AuditFormat.allCases.map(\.rawValue)),
        "the form of the report: \(AuditFormat.allCases.map(\.rawValue).joined(separator: ", "))"
      ),
      OptionHelp(
        "--output",
        value: "FILE",
        "writes the report to a file, at one instant; replaces an earlier report, and no key, manifest, policy or device"
      ),
    ] + AuditSigning.options + AuditSchedule.options,
    details: [
      """
      Three questions are asked, and never mixed: are the bytes those of the manifest (integrity), does the policy \
      accept the manifest (trust), and do the records of the store and the stated runtimes agree with it (state). \
      Files are read from the medium, with the page cache dropped before and after; what is wrong is read a second \
      time, and two different results are told as unstableRead, a matter of the machine. A file that another program \
      has mapped stays in the cache: the report says so, and --direct reads past it.
      """,
      """
      The store may be read-only, or another user's. Other commands may change it meanwhile: a version that is read is \
      leased, and what changes is told as changedDuringAudit, never as damage. Everything else on the machine goes \
      first. --quick and --sample prove less than --full, and the report says what.
      """,
      """
      Ends with 0 if nothing was found, with 10 if something was, and with 8 if the audit did not come to its end. \
      sealift explain says what each verdict means. --json prints the report as one object a line, with all findings \
      in the summary.
      """,
    ],
    examples: [
      ExampleHelp(
        "sealift audit --sign keys/auditor.key --previous monday.dsse --output tuesday.dsse",
        "makes a signed report that follows the one of the day before; report verify checks both"
      ),
      ExampleHelp(
        "sealift audit --format prometheus --output /var/lib/node/sealift.prom --print-units",
        "prints a service and a timer of systemd that write metrics every night"
      ),
      ExampleHelp("sealift audit", "reads every byte of every installed version"),
      ExampleHelp(
        "sealift audit lfm2-2.6b --sample 5% --deadline 10m",
        "reads a part of one model, for ten minutes at most"
      ),
      ExampleHelp(
        "sealift audit --directory ./model --manifest ./1.0.0.json --trust ./trust.json --format json",
        "judges a folder by the auditor's own policy"
      ),
    ],
    goingOn: "run the same command with --resume and the place that it printed"
  )

  private let models: [ModelName]
  private let options: AuditOptions
  private let time: Timestamp?
  private let trust: String?
  private let manifests: String?
  private let folder: (path: String, manifest: String)?
  private let format: AuditFormat?
  private let output: AuditOutput?
  private let signing: AuditSigning?
  private let schedule: AuditSchedule?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    schedule = try AuditSchedule(&arguments)
    signing = try AuditSigning(&arguments)
    options = try AuditOptions(&arguments)
    time = try arguments.option("--at") { try Timestamp($0) }
    trust = try arguments.option("--trust") { $0 }
    manifests = try arguments.option("--manifests") { $0 }
    let directory = try arguments.option("--directory") { $0 }
    let manifest = try arguments.option("--manifest") { $0 }
    format = try arguments.option("--format") { text throws(UsageError) in
      guard let format = AuditFormat(rawValue: text) else {
        let known = AuditFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(quoted(text)) is no format", helps: ["the formats are \(known)"])
      }
      return format
    }
    output = try arguments.option("--output") { AuditOutput(path: $0) }
    guard signing == nil || format == nil else {
      throw UsageError("a signed report has a form of its own, and no --format")
    }
    models = try arguments.operands("MODEL") { try ModelName($0) }
    try arguments.finish()
    switch (directory, manifest) {
    case (nil, nil): folder = nil
    case (let directory?, let manifest?):
      folder = (directory, manifest)
      guard models.isEmpty, manifests == nil else {
        throw UsageError("--directory is judged by --manifest: no MODEL, and no --manifests")
      }
    default: throw UsageError("--directory and --manifest go together")
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    if let schedule { return try print(schedule.units(context), console) }
    if console.style.isJSON, signing != nil, output == nil {
      throw UsageError(
        "--json and a signed report both want standard output",
        helps: ["--output writes the report to a file"]
      )
    }
    if console.style.isJSON, format != nil, output == nil {
      throw UsageError(
        "--json and --format both want standard output",
        helps: ["--output writes the report to a file"]
      )
    }
    let client = try Client(context)
    try output?.requireRoom(outside: subject(client).path, previous: signing?.previous)
    let signer = try await signing?.makeReady(context)
    let now = try Timestamp.current()
    let (policy, repositories, policyPath) = try trustPolicy(client)
    var request = AuditRequest(
      judgedAt: time ?? now,
      policy: policy,
      statements: try client.statedRuntimes()
    )
    (request.mode, request.isDirect) = (options.mode, options.isDirect)
    (request.checksWholeFiles, request.ignore) = (options.checksWholeFiles, options.ignore)
    request.resume = options.resume
    if let manifests { request.manifests = try Self.reader(of: manifests) }
    giveWay()
    let display = ProgressDisplay(console, label: "auditing", total: nil)
    let (result, pace) = try await withProgress(display) { display in
      try await StopFlag.withFlag { stop in
        let pace = AuditPace(
          maxRate: options.maxRate,
          deadline: options.deadline,
          stop: stop,
          progress: { display.advance(by: $0) }
        )
        return (try audit(client, Auditor(request, pace: pace)), pace)
      }
    }
    console.warnAboutHashing()
    let report = AuditReport(
      tool: .init(name: context.tool, version: context.version),
      host: .current(),
      subject: subject(client),
      mode: options.mode,
      policy: .init(
        path: policyPath,
        digest: SHA256Digest(of: JSONWriter.canonical(policy.decidingDocument)),
        keyCount: policy.keys.count,
        ruleCount: policy.rules.count,
        judgedAt: request.judgedAt,
        manifests: manifests
      ),
      startedAt: now,
      endedAt: try Timestamp.current(),
      milliseconds: pace.milliseconds,
      bytesHashed: pace.bytesHashed,
      resumedFrom: options.resume,
      ignored: result.ignored,
      models: result.models,
      unfinished: result.unfinished
    )
    if trust == nil, folder == nil {
      try client.warnOfStaleRepositories(of: result.models.map(\.name), among: repositories)
    }
    try tell(report, signedBy: signer, console)
    return try end(report, console)
  }

  private func trustPolicy(
    _ client: Client
  ) throws -> (policy: TrustPolicy, repositories: [PinnedRepository], path: String) {
    if let trust { return (try client.policy(at: trust), [], trust) }
    let (policy, repositories) = try client.policyWithRepositories()
    return (policy, repositories, client.trust.path)
  }

  /// Gives the manifests of a folder as a repository has them.
  private static func reader(
    of path: String
  ) throws -> @Sendable (ModelName, Version) throws -> [UInt8]? {
    _ = try Folder(path: path)
    return { model, version in
      let place = "\(path)/\(model.text)/\(version.text).json"
      return try readFile(at: place, limit: Envelope.maximumSize)
    }
  }

  private func audit(_ client: Client, _ auditor: Auditor) throws -> AuditResult {
    if let folder {
      let manifest = try OpenFile(readingPlainFile: folder.manifest)
        .readAll(limit: Envelope.maximumSize)
      if let cursor = options.resume {
        let release = try Envelope(parsing: manifest).release()
        guard release.model == cursor.model, release.version.text == cursor.version else {
          throw noPlace(cursor)
        }
      }
      return try auditor.audit(Folder(path: folder.path), manifest: manifest)
    }
    guard let store = try Store.open(reading: client.folders.store) else {
      throw Diagnostic(
        .notFound,
        "there is no store at \(client.folders.store)",
        helps: ["name the folder of the store with --store"]
      )
    }
    for model in models { try store.requireModel(model) }
    let names = try models.isEmpty ? store.modelNames() : models
    if let cursor = options.resume {
      guard names.contains(cursor.model),
        try store.model(cursor.model).versionNames().contains(where: { $0.text == cursor.version })
      else { throw noPlace(cursor) }
    }
    return try auditor.audit(store, names)
  }

  /// What `--resume` names must be there: an audit that begins behind everything would find nothing.
  private func noPlace(_ cursor: AuditCursor) -> Diagnostic {
    Diagnostic(
      .notFound,
      "there is nothing at \(cursor.text) to go on from",
      helps: ["run the audit without --resume: the version may be gone since"]
    )
  }

  private func subject(_ client: Client) -> AuditReport.Subject {
    folder.map { .folder(path: $0.path, manifest: $0.manifest) }
      ?? .store(path: client.folders.store)
  }

  // MARK: The report

  private func tell(
    _ report: AuditReport,
    signedBy signer: ReportSigner?,
    _ console: Console
  ) throws {
    if console.style.isJSON { tellLines(of: report, console) }
    let bytes: [UInt8]
    if let signer {
      let signed = try signer.sign(report)
      console.inform("signed by \(signed.key.fingerprint)")
      console.summarize(["signer": .string(signed.key.fingerprint.description)])
      bytes = signed.bytes
    } else {
      bytes = (format ?? .text).bytes(of: report)
    }
    guard let output else { return console.printVerbatim(bytes) }
    try output.write(bytes)
    console.inform("wrote the report to \(output.path)")
  }

  private func print(_ units: AuditUnits, _ console: Console) -> ExitCode {
    console.printVerbatim(Array(units.text.utf8))
    console.summarize(["service": .string(units.service), "timer": .string(units.timer)])
    return .done
  }

  /// The report as events, and what it comes to in the summary.
  private func tellLines(of report: AuditReport, _ console: Console) {
    let document = AuditDocument(report)
    for line in document.lines {
      let members = JSONObject(uniqueMembers: line.members.map { ($0.name, $0.value) })
      if line.event == "summary" {
        console.summarize(members)
      } else {
        console.event(line.event, members)
      }
    }
    console.summarize(["findings": document.findings])
  }

  private func end(_ report: AuditReport, _ console: Console) throws -> ExitCode {
    let words = counted(report.counts.findings, "finding")
    guard let unfinished = report.unfinished else {
      guard report.outcome == .findings else { return .done }
      let verdicts = Set(report.findings.filter(\.finding.counts).map(\.finding.verdict))
      let only = verdicts.count == 1 ? verdicts.first?.kind : nil
      console.report(Diagnostic(.findings, kind: only ?? .findings, words))
      return .findings
    }
    let helps = unfinished.cursor.map { ["--resume '\($0.text)' goes on there"] } ?? []
    switch unfinished.reason {
    case .interrupted:
      if let help = helps.first { console.inform(help) }
      throw CancellationError()
    case .deadline:
      console.report(
        Diagnostic(
          .localFailure,
          kind: .auditUnfinished,
          "the audit came to its deadline before its end, with \(words) so far",
          helps: helps
        )
      )
    case .failure:
      console.report(
        Diagnostic(
          .localFailure,
          kind: .auditUnfinished,
          "the audit could not look at everything, and had \(words)",
          notes: unfinished.failures
        )
      )
    }
    return .localFailure
  }
}
