import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import StrictJSON
import SystemFiles
import Trust

struct RepoSignCommand: Command {
  private enum Task: Sendable {
    case sign
    case export(part: String, output: String?)
    case attach([String])
    case discard
  }

  static let name = ["repo", "sign"]
  static let summary =
    "adds signatures to a change that waits, and publishes it when it has them all"
  static let help = CommandHelp(
    operands: [OperandHelp("DIR", "the folder of the repository")],
    options: [
      OptionHelp(
        "--export",
        value: "PART",
        "prints the exact bytes to be signed elsewhere: root, policy, targets, snapshot, timestamp or a bin"
      ),
      OptionHelp("--output", value: "FILE", "writes what --export prints to this file"),
      OptionHelp(
        "--import",
        value: "FILE",
        occurrence: .repeatable,
        "takes a signature that was made elsewhere: {\"keyid\": \"…\", \"sig\": \"…\"}"
      ),
      OptionHelp("--discard", "takes the change back that waits, and publishes nothing"),
      OptionHelp(
        "--without-old-keys",
        "publishes a rotation that old keys could still sign, although some clients will refuse for a moment"
      ),
    ] + SeveralSigners.help,
    details: [
      "Shows what each part changes, from the bytes that are signed, before a key signs it; with no key named it shows all, "
        + "signs nothing, and ends with 10. A signature is verified before it is taken, and a second one of "
        + "the same key is refused. Snapshot and timestamp are made when the parts that they name are complete.",
      "A rotation that is complete, and that old keys have not signed too, waits on: with their signatures no client refuses at "
        + "any moment. Where they are lost, --without-old-keys publishes it.",
      "Where keys are kept off the network: --export writes the canonical bytes of one part, any Ed25519 signer signs them "
        + "(openssl pkeyutl -sign -rawin), and --import takes the signature back, in hexadecimal, with the key's id, which "
        + "--export names for each key that may sign.",
    ],
    examples: [
      ExampleHelp("sealift-publish repo sign public --key b.key", "signs as the second of two"),
      ExampleHelp(
        "sealift-publish repo sign public --export root --output root.bytes",
        "takes the bytes of the next root to a machine that signs them"
      ),
      ExampleHelp(
        "sealift-publish repo sign public --import a.sig.json --import b.sig.json --key online.key",
        "brings two signatures back, and publishes"
      ),
    ]
  )

  private let path: String
  private let task: Task
  private let goesWithoutOldKeys: Bool
  private let options: RepositoryOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let part = try arguments.option("--export") { $0 }
    let output = try arguments.option("--output") { $0 }
    let imports = try arguments.options("--import") { $0 }
    let discards = try arguments.flag("--discard")
    goesWithoutOldKeys = try arguments.flag("--without-old-keys")
    options = RepositoryOptions(signers: try SeveralSigners(&arguments))
    path = try arguments.operand("DIR") { $0 }
    try arguments.finish()
    guard [part != nil, !imports.isEmpty, discards].count(where: \.self) <= 1 else {
      throw UsageError("--export, --import and --discard exclude each other")
    }
    guard output == nil || part != nil else { throw UsageError("--output goes with --export") }
    if let part {
      task = .export(part: part, output: output)
    } else if discards {
      task = .discard
    } else {
      task = imports.isEmpty ? .sign : .attach(imports)
    }
  }

  private var needsSigners: Bool {
    switch task {
    case .sign, .attach: true
    case .export, .discard: false
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let change = RepositoryChange(path: path, options: options, context: context)
    let signers = needsSigners ? try await change.openSigners() : []
    let tree = try RepositoryTree(path: path)
    return try change.locked(tree) { tree in
      if case .discard = task {
        try tree.discardPending()
        context.console.print("took the change back that waited in \(path)")
        return .done
      }
      if try tree.recover() == .completed {
        context.console.inform("completed a publication that was interrupted")
        return .done
      }
      let now = try Timestamp.current()
      let state = try tree.isPublished ? tree.state(at: now) : nil
      guard var draft = try tree.pendingDraft(for: state, at: now) else {
        throw RepositoryProblem.nothingPending
      }
      if case .export(let part, let output) = task {
        return try export(part, output, draft, context.console)
      }
      if case .attach(let files) = task {
        for file in files { try attach(file, &draft, context.console) }
      }
      if case .sign = task, signers.isEmpty, !isReady(draft, now) {
        return try look(at: draft, now, context.console)
      }
      let outcome = try finish(&draft, tree, signers, now, context.console)
      change.tell(outcome)
      if case .waiting(let draft) = outcome, draft.isComplete {
        tellOfUse(draft, now, context.console)
      }
      return .done
    }
  }

  /// Signs and publishes; what is not complete waits on, with the signatures that were added.
  private func finish(
    _ draft: inout RepositoryDraft,
    _ tree: borrowing RepositoryTree,
    _ signers: [RepositorySigner],
    _ now: Timestamp,
    _ console: Console
  ) throws -> RepositoryChange.Outcome {
    for line in draft.summary { console.inform("as its maker says: \(line)") }
    let used = try draft.sign(with: signers, at: now) { draft, part in
      try show(part, of: draft, console)
    }
    for signer in signers where !used.contains(signer.publicKey) {
      console.inform(
        "\(signer.publicKey.fingerprint) signed nothing: it has signed, or has no say in these parts"
      )
    }
    guard isReady(draft, now) else {
      try tree.stage(draft)
      return .waiting(draft)
    }
    try tree.publish(draft, at: now)
    return .published(draft)
  }

  private func isReady(_ draft: RepositoryDraft, _ now: Timestamp) -> Bool {
    draft.isComplete && (goesWithoutOldKeys || draft.stillOfUse(at: now).isEmpty)
  }

  /// Says whose signatures would keep clients from refusing for a moment.
  private func tellOfUse(_ draft: RepositoryDraft, _ now: Timestamp, _ console: Console) {
    console.inform("it is complete; signatures of the old keys are still of use:")
    for part in draft.stillOfUse(at: now) { console.inform(part.words) }
    console.inform(
      "next: repo sign \(path) with an old key, or --without-old-keys where they are lost"
    )
  }

  /// Shows what waits, for one who has not said yet who signs.
  private func look(
    at draft: RepositoryDraft,
    _ now: Timestamp,
    _ console: Console
  ) throws -> ExitCode {
    for line in draft.summary { console.inform("as its maker says: \(line)") }
    for part in draft.parts { try show(part, of: draft, console) }
    for part in draft.missing { console.print(part.words) }
    if draft.isComplete { tellOfUse(draft, now, console) }
    console.summarize([
      "repository": .string(path), "state": "waiting",
      "missing": .array(draft.missing.map(\.document)),
    ])
    return .findings
  }

  /// Shows what a part changes, from the bytes that are signed.
  private func show(_ part: DraftPart, of draft: RepositoryDraft, _ console: Console) throws {
    let lines = try draft.differences(part)
    console.inform("\(part.word), \(counted(lines.count, "difference")):")
    for line in lines { console.inform("  \(line)") }
  }

  private func attach(_ file: String, _ draft: inout RepositoryDraft, _ console: Console) throws {
    guard let bytes = try readFile(at: file, limit: 64 * 1024) else {
      throw PublishingError.nothingThere(file)
    }
    let done = try draft.attach(try SignatureText(parsing: bytes), to: nil)
    console.inform("\(file): \(done.part.word) is signed by \(done.key.fingerprint)")
  }

  private func export(
    _ word: String,
    _ output: String?,
    _ draft: RepositoryDraft,
    _ console: Console
  ) throws -> ExitCode {
    guard let part = draft.parts.first(where: { $0.word == word }),
      let bytes = draft.signedBytes(part)
    else { throw RepositoryProblem.noSuchDraft(word) }
    guard output != nil || !console.style.isJSON else {
      throw UsageError("with --json, --export needs --output FILE")
    }
    for line in draft.summary { console.inform("as its maker says: \(line)") }
    try show(part, of: draft, console)
    for key in draft.wanted(part) {
      console.inform("can sign: \(key.fingerprint), keyid \(MetadataKey(key).id.text)")
    }
    let digest = SHA256Digest(of: bytes)
    console.inform("sha256 of the bytes to sign: \(digest)")
    if let output {
      try replaceFile(at: output, with: bytes, mode: 0o644)
      console.wrote(output)
      console.print(output)
    } else {
      console.printVerbatim(bytes)
    }
    console.summarize([
      "part": .string(word), "signedBytes": .integer(Int64(bytes.count)),
      "signedBytesSha256": .string(digest.hex), "output": .string(output ?? "-"),
      "keys": .array(
        draft.wanted(part).map { key in
          [
            "fingerprint": .string(key.fingerprint.description),
            "keyid": .string(MetadataKey(key).id.text),
          ]
        }
      ),
    ])
    return .done
  }
}
