import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

extension ModelReference {
  /// The version that is meant: the named one, else the active one.
  func name(in model: borrowing StoredModel) throws -> VersionName {
    if let version { return try model.versionName(version) }
    return try model.activeRecord().active.name
  }

  /// Pins the version that is meant, or lets go of it, and says so with `word`.
  func setPin(_ isPinned: Bool, _ context: CommandContext, _ word: String) throws {
    let stored = try Client(context).storedModel(model)
    let name = try name(in: stored)
    try stored.reconcile(now: nil)
    let isChanged = try stored.setPin(isPinned, of: name)
    context.console.print("\(model) \(name.version) is \(word)")
    var members = members(of: name)
    members["pinned"] = .boolean(isPinned)
    members["changed"] = .boolean(isChanged)
    context.console.summarize(members)
  }

  /// The summary of a command that marks a version, for programs.
  func markMembers(_ name: VersionName, isGood: Bool) -> JSONObject {
    var members = members(of: name)
    members["good"] = .boolean(isGood)
    return members
  }

  private func members(of name: VersionName) -> JSONObject {
    [
      "model": .string(model.text), "version": .string(name.version.text),
      "dir": .string(name.text),
    ]
  }
}
