import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

/// Lists the versions in the store.
struct ListCommand: Command {
  static let name = ["list"]
  static let summary = "lists every version of every model in the store"
  static let help = CommandHelp(
    examples: [ExampleHelp("sealift list --json", "prints one object for each version")])

  init(_ arguments: inout ArgumentReader) throws(UsageError) { try arguments.finish() }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let client = try Client(context)
    var table = TextTable(["MODEL", "VERSION", "STATE"])
    var count = 0
    var code: ExitCode?
    if let store = try Store.open(reading: client.folders.store) {
      code = try await client.forEach(store.modelNames()) { name in
        let status = try store.model(name).status()
        for version in status.versions {
          let role = role(of: version, in: status)
          let mark = version.proof == .stamped ? "" : ", unverified"
          table.append([status.model.text, version.name.version.text, role + mark])
          context.console.event("version", members(of: version, role, status.model))
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

  private func role(
    of version: ModelStatus.StoredVersion,
    in status: ModelStatus
  ) -> String {
    let record = status.record.record
    return if version.name == record?.active.name {
      "active"
    } else if version.name == record?.previous?.name {
      "previous"
    } else {
      "ready"
    }
  }

  private func members(
    of version: ModelStatus.StoredVersion,
    _ role: String,
    _ model: ModelName
  ) -> JSONObject {
    [
      "model": .string(model.text), "version": .string(version.name.version.text),
      "dir": .string(version.name.text), "state": .string(role),
      "active": .boolean(role.utf8.elementsEqual("active".utf8)),
      "verified": .boolean(version.proof == .stamped),
    ]
  }
}
