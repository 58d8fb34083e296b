import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import StrictJSON

struct MirrorCheckCommand: Command {
  static let name = ["mirror", "check"]
  static let summary = "reads files back from the mirrors of a manifest and compares them with it"
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", "the manifest")],
    options: [
      OptionHelp(
        "--mirror",
        value: "TEMPLATE",
        occurrence: .repeatable,
        "checks this mirror too, before those of the manifest"
      )
    ] + MirrorCheckOptions.options,
    details: [
      "Asks every mirror of the release and of its files for every file, as anybody would: without user names, tokens "
        + "and cookies. Each chunk that is read is hashed and compared; only these ranges are asked for, and no byte is "
        + "kept. A table says what each mirror did, and each fault is a finding: no answer, a wrong status or "
        + "certificate, a page or pointer in place of the file, another size, wrong chunks, another release (stale), "
        + "coded bodies, no ranges, redirects that lead nowhere.",
      "Ends with 10 if there are findings, and with 4 if no mirror gave any answer. URLs that move, and mirrors "
        + "without encryption, are warned about. Whether the manifest is signed by whom it should be is not asked: "
        + "verify does that.",
    ],
    examples: [
      ExampleHelp("sealift-publish mirror check manifests/tiny/1.0.0.json", "reads samples"),
      ExampleHelp(
        "sealift-publish mirror check m.json --full --mirror 'https://new.example.com/{name}'",
        "reads all, from a mirror that is not in the manifest as well"
      ),
    ]
  )

  private let path: String
  private let mirrors: [MirrorTemplate]
  private let options: MirrorCheckOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    mirrors = try arguments.options("--mirror") { try MirrorTemplate($0) }
    options = try MirrorCheckOptions(&arguments)
    path = try arguments.operand("MANIFEST") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    let file = try ManifestFile(reading: path)
    let (envelope, release) = (file.envelope, try file.release())
    let plan = MirrorCheckPlan(release, with: mirrors)
    guard !plan.isEmpty else {
      throw Diagnostic(
        .usage,
        kind: .noMirror,
        "the manifest names no mirror",
        helps: ["--mirror TEMPLATE names one, such as 'https://HOST/PATH/{name}'"]
      )
    }
    let transfer = try options.transfer(context)
    let seed = options.seed { Int.random(in: 0...Int(Int32.max)) }
    let depth = options.depth(seed ?? 0)
    let display = ProgressDisplay(console, label: "reading back", total: plan.size(depth))
    let report = try await withProgress(display) { display in
      try await MirrorChecker(plan, depth: depth, options: transfer).check {
        display.advance(by: $0)
      }
    }
    let page = MirrorCheckPage(report, of: release)
    console.warn(report.mirrors.flatMap(\.advice).map { Diagnostic($0) })
    page.tell(console)
    tell(report, release, seed, console)
    console.summarize(["manifestSha256": .string(envelope.payloadDigest.hex)])
    return page.end(console)
  }

  private func tell(
    _ report: MirrorCheckReport,
    _ release: Release,
    _ seed: Int?,
    _ console: Console
  ) {
    var members: JSONObject = ReleaseSummary(release).members
    members["mirrors"] = .integer(Int64(report.mirrors.count))
    members["findings"] = .integer(Int64(report.findings.count))
    members["bytes"] = .integer(Int64(report.mirrors.reduce(0) { $0 + $1.bytes }))
    members["depth"] = seed == nil ? "full" : "samples"
    members["seed"] = seed.map { .integer(Int64($0)) }
    console.summarize(members)
    if let seed {
      console.inform("chunks were chosen by chance; --seed \(seed) chooses them again")
    }
  }
}
