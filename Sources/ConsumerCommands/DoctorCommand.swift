import CommandErrors
import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Trust

/// Shows what is wrong with the store, and puts it right when asked.
struct DoctorCommand: Command {
  static let name = ["doctor"]
  static let summary = "shows what is wrong with the store and what would be done about it"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL", arity: .any, "the models; all of them by default")],
    options: [
      OptionHelp("--fix", "does it"),
      OptionHelp(
        "--backups",
        value: "WHERE",
        accepts: .words(["in", "out"]),
        "whether backup programs are to take the bytes of models: in or out; out by default"
      ),
    ],
    details: [
      """
      Works offline. With --fix every version is read that its stamp does not prove: a damaged active version gives way \
      to the one before it if all of that is right and stays as the previous one; other damaged versions that nobody \
      chose move to the trash. A record that is lost is written anew if current names a version whose bytes are as signed. The active version is never deleted, and a \
      version that nobody chose is never activated.
      """,
      "sealift repair makes a damaged version whole with bytes from mirrors.",
      "The exit code is 10 while there is something to do, and 8 where a person must choose.",
    ],
    examples: [
      ExampleHelp("sealift doctor", "looks at the whole store and changes nothing"),
      ExampleHelp("sealift doctor --fix", "repairs what can be repaired without fetching"),
    ]
  )

  /// Reads whether models are to be in backups.
  private static func isIn(_ text: String) throws(UsageError) -> Bool {
    switch text {
    case "in": return true
    case "out": return false
    default: throw UsageError("\(quoted(text)) is not in or out")
    }
  }

  private let models: [ModelName]
  private let isFix: Bool
  private let isInBackups: Bool?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isFix = try arguments.flag("--fix")
    isInBackups = try arguments.option("--backups", Self.isIn)
    models = try arguments.operands("MODEL") { try ModelName($0) }
    try arguments.finish()
    guard isInBackups == nil || isFix else {
      throw UsageError("--backups changes the store, so it needs --fix")
    }
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    guard let reader = try Store.open(reading: client.folders.store) else {
      context.console.inform("no models in \(client.folders.store)")
      return .done
    }
    for model in models { try reader.requireModel(model) }
    let names = models.isEmpty ? try reader.modelNames() : models
    let repositories = client.policyIfReadable()?.repositories ?? []
    try client.warnOfStaleRepositories(of: names, among: repositories)
    try tellForgotten(reader, client)
    var report = DoctorReport(isFix: isFix, context.console)
    if !isFix {
      client.warnAboutFileSystem(of: reader)
      if let doubt = try reader.doubt(client.storeOptions) { report.refuse(doubt) }
    }
    if let isInBackups { try client.storeForChanging().setInBackups(isInBackups) }
    let code = try await client.forEach(names) { name in
      let steps = try await steps(for: name, client, reader)
      report.tell(steps, of: name)
      try report.complain(about: try reader.model(name), after: steps)
    }
    if let code { report.add(code) }
    if models.isEmpty, let code = try client.tellOddEntries(of: reader) { report.add(code) }
    return report.finish()
  }

  /// Names what the store knows of repositories that the configuration does not have, since their roots can be had there.
  ///
  /// Where the list cannot be read, nobody knows which are followed, and to forget one may be to lose it.
  private func tellForgotten(_ store: borrowing Store, _ client: Client) throws {
    let list = listIfReadable(client)
    for name in try store.repositoryNames() where list?.repository(named: name) == nil {
      let root = "\(store.path)/repositories/\(name)/root.json"
      let way = "which sealift repo add takes once its SHA-256 is what the publisher says"
      client.console.inform(
        list == nil
          ? "the list of repositories cannot be read; the last root of the repository \(name) is \(root), \(way)"
          : "the repository \(name) is not among those that are followed; its last root is \(root), \(way); "
            + "sealift repo remove \(name) --purge forgets it"
      )
    }
  }

  /// The repositories that are followed, whatever is wrong with the trust policy; nil where their list cannot be read.
  private func listIfReadable(_ client: Client) -> RepositoryList? {
    do {
      return try client.repositoryList()
    } catch {
      return nil
    }
  }

  private func steps(
    for name: ModelName,
    _ client: Client,
    _ reader: borrowing Store
  ) async throws -> [ReconcileStep] {
    guard isFix else {
      return try reader.oddParts(of: name).map(ReconcileStep.replacePart)
        + (try client.reconciler().plan(try reader.model(name)))
    }
    let store = try client.storeForChanging()
    let parts = try store.removeOddParts(of: name).map(ReconcileStep.replacePart)
    return parts + (try await client.reconciler().repair(try store.modelForChanging(name)))
  }
}
