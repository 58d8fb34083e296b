import CommandErrors
import CommandLineKit
import Manifests
import Signatures
import StrictJSON
import Trust

/// Trusts keys for the models of a pattern.
struct TrustAddCommand: Command {
  static let name = ["trust", "add"]
  static let summary = "trusts public keys to sign the models that match a pattern"
  static let help = CommandHelp(
    operands: [OperandHelp("PUB", arity: .atLeastOne, "a file with a public key")],
    options: [
      OptionHelp(
        "--models",
        value: "PATTERN",
        occurrence: .required,
        "the models, such as lfm2-2.6b, 'lfm2-*' or 'acme/*'"
      ),
      OptionHelp("--threshold", value: "N", "how many of the keys must sign; 1 by default"),
      OptionHelp("--not-after", value: "TIME", "accept nothing new from the keys after this time"),
    ],
    details: [
      """
      A rule for the same pattern is replaced. The most specific rule that matches a model alone applies; * never \
      crosses a /. Compare the fingerprint that is printed with what the publisher states elsewhere.
      """
    ],
    examples: [
      ExampleHelp(
        "sealift trust add keys/release.pub --models 'lfm2-*'",
        "trusts one publisher's key"
      )
    ]
  )

  private let keyFiles: [String]
  private let models: ModelPattern
  private let threshold: Int
  private let notAfter: Timestamp?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    models = try arguments.requiredOption("--models") { try ModelPattern($0) }
    threshold =
      try arguments.option("--threshold") { try parseCount($0, in: 1...Int.max) } ?? 1
    notAfter = try arguments.option("--not-after") { try Timestamp($0) }
    keyFiles = try arguments.operands("PUB", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    let keys = try keyFiles.map { path in
      do throws(KeyError) {
        let key = try PublicKey(file: path)
        return TrustedKey(publicKey: key, name: name(of: path), notAfter: notAfter)
      } catch {
        // A file that cannot be read is named already.
        if case .unreadable = error { throw error }
        throw context.explain(error).about(path)
      }
    }
    _ = try client.policy()
    var replaced: TrustRule?
    try client.trust.change { policy in
      replaced = policy.rules.first { $0.models == models }
      return try policy.adding(keys, for: models, threshold: threshold)
    }
    if let replaced { context.console.inform("this replaces the rule \(replaced.words)") }
    for key in keys {
      context.console.print("trusted \(key.fingerprint) (\(key.name)) for \(models.text)")
      context.console.event(
        "trusted",
        [
          "fingerprint": .string(key.fingerprint.description), "name": .string(key.name),
          "models": .string(models.text), "threshold": .integer(Int64(threshold)),
        ]
      )
    }
    context.console.summarize([
      "models": .string(models.text), "threshold": .integer(Int64(threshold)),
      "keys": .array(keys.map { .string($0.fingerprint.description) }),
      "replaced": .boolean(replaced != nil),
    ])
    return .done
  }

  /// The name of the key file without its folder and without `.pub`.
  private func name(of path: String) -> String {
    let file =
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    return file.utf8.suffix(4).elementsEqual(".pub".utf8) ? String(file.dropLast(4)) : file
  }
}
