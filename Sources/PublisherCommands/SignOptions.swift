import CommandErrors
import CommandLineKit
import Signatures

/// What `sign` is to do, read from its options.
struct SignOptions: Sendable {
  enum Task: Sendable {
    /// Signs, or only tries to.
    case sign(SignerSource, isCheck: Bool)
    /// Writes the bytes that are to be signed elsewhere, to a file or to standard output.
    case emit(output: String?)
    /// Takes the signature in a file, which was made elsewhere.
    case attach(String, KeyArgument)
  }

  static let help: [OptionHelp] =
    SignerOptions.help + [
      OptionHelp(
        "--attach",
        value: "FILE",
        "takes a signature that was made elsewhere, by the key after --pub"
      ),
      OptionHelp("--emit-payload", "prints the bytes to be signed elsewhere, and signs nothing"),
      OptionHelp("--output", value: "FILE", "writes what --emit-payload prints to this file"),
      OptionHelp("--check", "does all but write: the key, the clock and the manifest are fit"),
    ]

  let task: Task
  let signer: SignerOptions

  /// Takes the options off `arguments`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let signer = try SignerOptions(&arguments)
    let attached = try arguments.option("--attach") { $0 }
    let emits = try arguments.flag("--emit-payload")
    let output = try arguments.option("--output") { $0 }
    let isCheck = try arguments.flag("--check")
    self.signer = signer
    var tasks = signer.sources.map { Task.sign($0, isCheck: isCheck) }
    if let attached {
      let key = try SignerOptions.onlyKey(of: "--attach", signer.publicKeys)
      tasks.append(.attach(attached, key))
    }
    if emits { tasks.append(.emit(output: output)) }
    task = try Self.onlyTask(tasks)
    try checkCombination(isCheck: isCheck, hasOutput: output != nil)
  }

  private static func onlyTask(_ tasks: [Task]) throws(UsageError) -> Task {
    let all = "--key, --ssh-agent, --signer, --attach, --emit-payload"
    guard let task = tasks.first else {
      throw UsageError("nobody is named to sign", helps: ["give one of \(all)"])
    }
    guard tasks.count == 1 else { throw UsageError("only one of \(all) can be given") }
    return task
  }

  private func checkCombination(isCheck: Bool, hasOutput: Bool) throws(UsageError) {
    if case .emit = task {
      guard !isCheck else { throw UsageError("--check and --emit-payload exclude each other") }
      guard signer.publicKeys.isEmpty else {
        throw UsageError("--pub and --emit-payload exclude each other")
      }
      return
    }
    guard !hasOutput else { throw UsageError("--output goes with --emit-payload only") }
    if case .attach = task, isCheck { throw UsageError("--check and --attach exclude each other") }
  }
}
