import CommandErrors
import CommandLineKit
import Manifests
import ModelStore
import StrictJSON
import Trust

/// Frees what no rule keeps.
struct CollectCommand: Command {
  static let name = ["gc"]
  static let summary = "removes the versions that no rule keeps, and what was removed a day ago"
  static let help = CommandHelp(
    operands: [OperandHelp("MODEL", arity: .any, "the models; all of them by default")],
    options: [
      OptionHelp("--explain", "says of everything that stays why it does"),
      OptionHelp("--dry-run", "says what would go, and removes nothing"),
      OptionHelp("--staging", "removes interrupted downloads too"),
      OptionHelp("--keep", value: "N", "keeps the N highest versions of each model; 2 by default"),
      OptionHelp(
        "--budget",
        value: "BYTES",
        """
        removes no more than it takes to bring the store down to so many bytes: interrupted downloads, then trash, then \
        the oldest versions
        """
      ),
    ],
    details: [
      """
      The active version stays, the one before it, pinned ones, those that a process uses or brings in, and the N \
      highest. What cannot be told, such as whether a file is open, counts as a reason to keep. While the record of a \
      model cannot be read, or what its repository has withdrawn, no version of it is removed, \
      and the exit code is 8. Never waits for a download. A version that the repository of its model has withdrawn stays \
      too, besides the N highest of the others: sealift remove MODEL@VERSION takes it away.
      """,
      "What sealift remove took stays for a day, in which it can be had back; sealift remove --purge frees it at once.",
    ],
    examples: [
      ExampleHelp("sealift gc --explain --dry-run", "shows what would go and what stays, and why"),
      ExampleHelp("sealift gc --budget 20GB", "makes room until the store takes 20 GB"),
    ]
  )

  private let models: [ModelName]
  private let isExplained: Bool
  private let options: CollectionOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isExplained = try arguments.flag("--explain")
    var options = CollectionOptions()
    options.isDryRun = try arguments.flag("--dry-run")
    options.takesCandidates = try arguments.flag("--staging")
    if let count = try arguments.option("--keep", { try parseCount($0) }) {
      options.newestCount = count
    }
    options.budget = try arguments.option("--budget") { try parseByteSize($0) }
    self.options = options
    models = try arguments.operands("MODEL") { try ModelName($0) }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    var failures: [Failure] = []
    let items = try collect(client, &failures)
    for item in items { tell(item, context.console) }
    let gone = items.filter { $0.keptFor == nil }
    let freed = gone.reduce(0) { $0 + $1.bytes }
    context.console.inform(
      "\(roundedBytesText(freed)) \(options.isDryRun ? "would be freed" : "freed")"
    )
    var code = complain(about: items, context.console)
    for failure in failures { code = try client.tell(failure.error, about: failure.model) }
    context.console.summarize([
      "items": .array(items.map { .object(members(of: $0)) }),
      "freedBytes": .integer(Int64(options.isDryRun ? 0 : freed)),
      "keptBytes": .integer(Int64(items.reduce(0) { $0 + $1.bytes } - freed)),
    ])
    return code
  }

  /// What kept a model from being looked at, or some of it from being removed.
  private struct Failure {
    let model: ModelName
    let error: any Error
  }

  /// Collects what it can; what it cannot is told at the end.
  private func collect(_ client: Client, _ failures: inout [Failure]) throws -> [CollectedItem] {
    if let model = models.first { _ = try client.store(having: model) }
    guard let reader = try Store.open(reading: client.folders.store) else { return [] }
    for model in models { try reader.requireModel(model) }
    let names = models.isEmpty ? try reader.modelNames() : models
    let now = try Timestamp.current()
    var options = options
    // What nobody knows to be good or withdrawn does not go.
    let policy = try client.policy()
    options.unknownWithdrawals = Set(names.filter { !policy.knowsWithdrawals(from: $0) })
    for name in names { options.withdrawn[name] = policy.manifests(withdrawnFrom: name) }
    var failed: [Failure] = []
    defer { failures = failed }
    func keep(_ model: ModelName, _ error: any Error) throws {
      guard Client.isMatterOfOneModel(error) else { throw error }
      failed.append(Failure(model: model, error: error))
    }
    if options.isDryRun { return try reader.collect(names, options, now: now, failed: keep) }
    let store = try client.storeForChanging()
    var settled: [ModelName] = []
    for name in names {
      do {
        try store.modelForChanging(name).reconcile(now: now)
        settled.append(name)
      } catch {
        try keep(name, error)
      }
    }
    return try store.collect(settled, options, now: now, failed: keep)
  }

  private func tell(_ item: CollectedItem, _ console: Console) {
    let place = "\(item.model) \(item.kind.rawValue) \(item.name)"
    let size = roundedBytesText(item.bytes)
    if let reason = item.keptFor {
      if isExplained { console.print("\(place) (\(size)) stays: \(reason.words)") }
    } else {
      console.print("\(place) (\(size)) \(options.isDryRun ? "would go" : "is gone")")
    }
    console.event("item", members(of: item))
  }

  private func members(of item: CollectedItem) -> JSONObject {
    var members: JSONObject = [
      "model": .string(item.model.text), "kind": .string(item.kind.rawValue),
      "dir": .string(item.name), "bytes": .integer(Int64(item.bytes)),
    ]
    if let reason = item.keptFor {
      members["kept"] = .string(reason.rawValue)
    } else {
      members["removed"] = .boolean(!options.isDryRun)
    }
    return members
  }

  /// Names the models of which nothing was removed since nobody knows what may go.
  private func complain(about items: [CollectedItem], _ console: Console) -> ExitCode {
    var code = ExitCode.done
    for (reason, record, file) in [
      (KeepReason.unknownRecord, "active record", "active.json"),
      (.unknownPins, "list of pins", "pins.json"),
    ] {
      let models = Set(items.filter { $0.keptFor == reason }.map(\.model)).sorted()
      for model in models {
        console.report(
          Diagnostic(
            .localFailure,
            kind: .damagedRecord,
            "the \(record) of \(model) cannot be read; no version of it was removed",
            notes: ["it is \(file) in the folder of the model"],
            helps: ["sealift doctor \(model) shows the choices"]
          )
        )
        code = .localFailure
      }
    }
    let unknown = items.filter { $0.keptFor == .unknownWithdrawals }.map(\.model)
    for model in Set(unknown).sorted() {
      console.report(
        Diagnostic(
          .localFailure,
          kind: .damagedRecord,
          "what the repository of \(model) has withdrawn is not known here; no version of it was removed",
          helps: ["sealift repo update fetches it"]
        )
      )
      code = .localFailure
    }
    for item in items where item.keptFor == .undeletable {
      console.inform("\(item.name) cannot be deleted now; the next collection tries again")
    }
    return code
  }
}

extension KeepReason {
  /// The reason in the words of `status` and `list`.
  fileprivate var words: String {
    switch self {
    case .leased: "in use, by a program that sealift exec started or that holds a lease"
    case .open: "in use, by a process that has a file of it open"
    case .current: "the link current names it"
    case .unknownRecord: "the active record cannot be read"
    case .unknownPins: "the list of pins cannot be read"
    case .unknownWithdrawals: "nobody knows here what its repository has withdrawn"
    case .unknownLease: "nobody knows whether it is in use: its lease cannot be read"
    case .unknownOpen: "nobody knows whether it is in use: open files cannot be seen"
    case .removed: "removed less than a day ago"
    case .replaced: "taken out of a version by a repair less than a day ago"
    case .trialFallback: "returns if the trial of the active version fails"
    case .installing: "an install brings it in"
    case .withdrawn: "withdrawn by its repository; sealift remove takes it away"
    case .undeletable: "cannot be deleted now"
    case .active, .previous, .pinned, .newest, .notAsked, .withinBudget: rawValue
    }
  }
}
