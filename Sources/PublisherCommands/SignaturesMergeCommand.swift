import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import Trust
import StrictJSON

struct SignaturesMergeCommand: Command {
  static let name = ["signatures", "merge"]
  static let summary = "puts the signatures of several people into one manifest"
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", arity: .atLeastOne, "copies of one manifest, signed apart")],
    options: [
      OptionHelp(
        "--output",
        value: "FILE",
        "writes the result here, the first manifest unless given; signatures that are there already stay"
      ),
      OptionHelp(
        "--key",
        value: "PUB",
        occurrence: .repeatable,
        "a key that may have signed: a signature by none of them is refused"
      ),
    ],
    details: [
      "All must hold the same payload, byte for byte. The result has one signature of each key, and takes its place at "
        + "one instant.",
      "Without --key no signature can be verified: they count under the names that they carry, and two that contradict "
        + "each other are refused.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish signatures merge m.json from-ada.json from-bo.json --key ada.pub --key bo.pub",
        "adds what two people signed to m.json"
      )
    ],
    goingOn: "run the same command again; the manifest was not changed"
  )

  private let paths: [String]
  private let output: String?
  private let keys: [KeyArgument]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    output = try arguments.option("--output") { $0 }
    keys = try arguments.options("--key") { KeyArgument($0) }
    paths = try arguments.operands("MANIFEST", atLeast: 1) { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    let keys = self.keys.isEmpty ? nil : try self.keys.map { try $0.key(context).publicKey }
    let target = output ?? paths[0]
    let merge = try SignatureMerge(reading: paths, into: target, verifyingWith: keys)
    if keys == nil, !merge.envelope.signatures.isEmpty {
      console.warn(
        Diagnostic(
          .notAccepted,
          kind: .unverified,
          "no signature was verified",
          helps: ["--key PUB, once for each signer, verifies them all"]
        )
      )
    }
    try merge.write()
    console.wrote(target)
    report(merge, target, isVerified: keys != nil, console)
    return .done
  }

  private func report(
    _ merge: SignatureMerge,
    _ target: String,
    isVerified: Bool,
    _ console: Console
  ) {
    let signers = merge.envelope.signatures.map(\.keyID)
    for signer in signers {
      console.print("\(isVerified ? "signed by" : "names") \(signer)")
      console.event("signer", ["fingerprint": .string(signer)])
    }
    console.print("\(target): \(counted(signers.count, "signature")), \(merge.added) new")
    console.summarize([
      "path": .string(target),
      "manifestSha256": .string(merge.envelope.payloadDigest.hex),
      "signatures": .integer(Int64(signers.count)),
      "added": .integer(Int64(merge.added)),
      "isVerified": .boolean(isVerified),
    ])
  }
}
