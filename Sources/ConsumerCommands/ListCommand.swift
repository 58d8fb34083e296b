import CommandLineKit
import Manifests
import ModelStore
import StrictJSON
import Trust

/// Lists the versions in the store.
struct ListCommand: Command {
  static let name = ["list"]
  static let summary = "lists every version of every model in the store"
  static let help = CommandHelp(
    examples: [ExampleHelp("sealift list --json", "prints one object for each version")])

  init(_ arguments: inout ArgumentReader) throws(UsageError) { try arguments.finish() }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    var table = TextTable(["MODEL", "VERSION", "STATE", "NOTES"])
    var count = 0
    var code: ExitCode?
    if let store = try Store.open(reading: client.folders.store) {
      let judge = try VersionJudge(client)
      code = try await client.forEach(store.modelNames()) { name in
        let model = try store.model(name)
        let status = try model.status()
        let withdrawn = judge.withdrawn(from: name)
        for version in status.versions {
          let release = withdrawn?.release(name, version.name.version)
          let isWithdrawn = release.map { version.name.belongs(to: $0.manifest) } ?? false
          let row = ListedVersion(
            version,
            in: status,
            isWithdrawn: isWithdrawn,
            answer: try judge.answer(of: version.name, in: model)
          )
          table.append([status.model.text, version.name.version.text, row.state, row.notes])
          context.console.event("version", row.members)
          count += 1
        }
      }
      let odd = try client.tellOddEntries(of: store)
      code = code ?? odd
    }
    if count > 0 {
      context.console.print(table)
    } else {
      context.console.inform("no versions in \(client.folders.store)")
    }
    context.console.summarize(["versions": .integer(Int64(count))])
    return code ?? .done
  }
}

/// A version as the list shows it, in the words of `status` and of `gc --explain`.
private struct ListedVersion {
  private let version: ModelStatus.StoredVersion
  private let status: ModelStatus
  private let isWithdrawn: Bool
  private let answer: VersionJudge.Answer

  init(
    _ version: ModelStatus.StoredVersion,
    in status: ModelStatus,
    isWithdrawn: Bool,
    answer: VersionJudge.Answer
  ) {
    self.version = version
    self.status = status
    (self.isWithdrawn, self.answer) = (isWithdrawn, answer)
  }

  private var isVerified: Bool { version.proof == .stamped }
  private var isActive: Bool { version.name == status.record.record?.active.name }
  private var isPrevious: Bool { version.name == status.record.record?.previous?.name }
  private var isPinned: Bool { status.pins.marks?.names.contains(version.name) == true }
  private var isBad: Bool { status.bad.marks?.mark(of: version.name) != nil }
  private var isOnTrial: Bool { isActive && status.record.record?.triesLeft != nil }

  private var isChanged: Bool {
    switch version.proof {
    case .changed, .changedFolder: true
    case .stamped, .damaged, .unproven: false
    }
  }

  /// The state of this version alone: whether it is active, can be, or cannot.
  var state: String {
    let state: ModelStatus.State = !isVerified ? .failed : isActive ? .active : .ready
    return state.rawValue
  }

  var notes: String {
    let words = [
      (isActive && !isVerified, "active"), (isPrevious, "previous"), (isPinned, "pinned"),
      (isOnTrial, "on trial"), (isBad, "marked bad"), (isWithdrawn, "withdrawn"),
      (answer.refusal != nil && !isWithdrawn, "no longer accepted"),
      (version.proof == .unproven, "not verified"), (version.proof == .damaged, "damaged"),
      (isChanged, "changed since it was verified"),
    ]
    return words.filter(\.0).map(\.1).joined(separator: ", ")
  }

  var members: JSONObject {
    [
      "model": .string(status.model.text), "version": .string(version.name.version.text),
      "dir": .string(version.name.text), "state": .string(state),
      "active": .boolean(isActive), "previous": .boolean(isPrevious),
      "pinned": .boolean(isPinned), "withdrawn": .boolean(isWithdrawn), "bad": .boolean(isBad),
      "verified": .boolean(isVerified), "accepted": answer.json,
    ]
  }
}
