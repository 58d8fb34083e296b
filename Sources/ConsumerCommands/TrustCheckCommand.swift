import CommandErrors
import CommandLineKit
import Installing
import Manifests
import Trust

/// Explains which rule accepts or refuses a manifest, and why.
struct TrustCheckCommand: Command {
  static let name = ["trust", "check"]
  static let summary = "explains which rule accepts or refuses a manifest, and why"
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", "the manifest, a file or a URL")],
    options: TransferFlags.options,
    details: [
      """
      Judges as install would, and changes nothing. Says of each key that signed whether it counts, and which keys of \
      the rule did not sign. Exit code 0 says that the manifest is accepted, 6 that it is not, 9 that a trusted key \
      signed what is no manifest.
      """
    ],
    examples: [ExampleHelp("sealift trust check ./1.0.0.json", "explains one manifest")]
  )

  private let source: ManifestSource
  private let transfer: TransferFlags

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    transfer = try TransferFlags(&arguments)
    source = try arguments.operand("MANIFEST") { try ManifestSource(argument: $0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let policy = try client.policy()
    let bytes = try await source.envelope(try transfer.options(client, context))
    let page = TrustVerdictPage(policy.verdict(on: bytes, at: try .current()))
    for line in page.lines { context.console.print(line) }
    for signer in page.signerEvents { context.console.event("signer", signer) }
    context.console.summarize(page.members)
    guard let refusal = page.refusal else { return .done }
    context.console.report(refusal)
    return refusal.exitCode
  }
}
