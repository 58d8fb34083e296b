import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Transfers

/// What a repair did, or would do, in the two forms of output.
struct RepairPage {
  private let name: VersionName
  private let model: ModelName
  private let console: Console

  init(_ name: VersionName, of model: ModelName, _ console: Console) {
    (self.name, self.model, self.console) = (name, model, console)
  }

  private var subject: String { "\(model) \(name.version)" }

  func tell(_ outcome: RepairOutcome) {
    if let report = outcome.report { MirrorReport(report).tell(console) }
    if let path = outcome.replacedPath {
      console.inform("what was taken out of the version lies for a day in \(path)")
    }
    console.inform(
      outcome.damage.isNone
        ? "\(subject) is whole, nothing was to be repaired" : "\(subject) is whole again"
    )
    console.printVerbatim(Array("\(outcome.filesPath)\n".utf8))
    let fetched = outcome.report?.mirrors.reduce(0) { $0 + $1.goodBytes } ?? 0
    var members = members(of: outcome.damage, isDryRun: false)
    members["path"] = .string(outcome.filesPath)
    members["replaced"] = outcome.replacedPath.map { .string($0) } ?? .null
    members["fetchedBytes"] = .integer(Int64(fetched))
    members["resumedBytes"] = .integer(Int64(outcome.report?.resumedBytes ?? 0))
    members["reusedBytes"] = .integer(Int64(outcome.report?.reusedBytes ?? 0))
    console.summarize(members)
  }

  func tell(_ plan: RepairPlan) {
    plan.damage.tell(of: name, console)
    for file in plan.files {
      console.print(
        "\(file.path): \(exactBytesText(file.fetchedBytes)) from mirrors, "
          + "\(exactBytesText(file.installedBytes)) from other installed files, "
          + "\(exactBytesText(file.ownBytes)) from itself"
      )
      console.event("file", members(of: file))
    }
    if plan.damage.isNone { console.print("\(subject) is whole, nothing is to be repaired") }
    var members = members(of: plan.damage, isDryRun: true)
    members["fetchedBytes"] = .integer(Int64(plan.files.reduce(0) { $0 + $1.fetchedBytes }))
    members["reusedBytes"] = .integer(
      Int64(plan.files.reduce(0) { $0 + $1.ownBytes + $1.installedBytes })
    )
    console.summarize(members)
  }

  private func members(of file: RepairPlan.File) -> JSONObject {
    [
      "file": .string(file.path.text), "bytes": .integer(Int64(file.size)),
      "fetchedBytes": .integer(Int64(file.fetchedBytes)),
      "installedBytes": .integer(Int64(file.installedBytes)),
      "ownBytes": .integer(Int64(file.ownBytes)),
    ]
  }

  private func members(of damage: Damage, isDryRun: Bool) -> JSONObject {
    [
      "model": .string(model.text), "version": .string(name.version.text),
      "dir": .string(name.text), "findings": .integer(Int64(damage.count)),
      "dryRun": .boolean(isDryRun),
    ]
  }
}
