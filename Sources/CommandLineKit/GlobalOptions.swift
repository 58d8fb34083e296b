/// An option that every command of a tool takes, before or after the command's words.
package enum GlobalOption: CaseIterable, Sendable {
  case store, shared, lock, symlinks, config, json, quiet, verbose, color

  /// The option as help shows it.
  package var help: OptionHelp {
    switch self {
    case .store: OptionHelp("--store", value: "DIR", "keeps models in this directory")
    case .shared:
      OptionHelp("--shared", value: "GROUP", "shares the store with this group of users")
    case .lock:
      OptionHelp(
        "--lock",
        value: "KIND",
        accepts: .words(["kernel", "none"]),
        "keeps other processes out: kernel, or none"
      )
    case .symlinks: OptionHelp("--no-symlinks", "keeps no link named current in the store")
    case .config:
      OptionHelp("--config", value: "DIR", "keeps the trust policy and settings in this directory")
    case .json: OptionHelp("--json", "prints one JSON object a line, the last one a summary")
    case .quiet: OptionHelp("--quiet", "shows results, warnings and errors only")
    case .verbose: OptionHelp("--verbose", "shows more of what happens")
    case .color:
      OptionHelp(
        "--color",
        value: "WHEN",
        accepts: .words(GlobalOptions.Color.allCases.map(\.rawValue)),
        "colours messages: auto, always or never"
      )
    }
  }
}

/// The global options of one run, from flags or, where there is none, from `SEALIFT_*` variables.
package struct GlobalOptions: Equatable, Sendable {
  /// When messages are coloured.
  package enum Color: String, CaseIterable, Sendable { case auto, always, never }

  package var store: String?
  package var shared: String?
  package var hasLocks = true
  package var hasSymlinks = true
  package var config: String?
  package var isJSON = false
  package var verbosity = Verbosity.normal
  package var color = Color.auto

  package init() {}

  /// Takes the options that `table` declares from `arguments`, wherever they stand.
  init(
    _ table: CommandTable,
    _ arguments: inout ArgumentReader,
    _ settings: Settings
  ) throws(UsageError) {
    let declared = table.globals
    if declared.contains(.store) {
      store = try settings.value("store", flag: arguments.option("--store") { $0 }) { $0 }
    }
    if declared.contains(.shared) {
      shared = try settings.value("shared", flag: arguments.option("--shared") { $0 }) { $0 }
    }
    if declared.contains(.lock) {
      let flag = try arguments.option("--lock", Self.hasLocks)
      hasLocks = try settings.value("lock", flag: flag, Self.hasLocks) ?? true
    }
    if declared.contains(.symlinks) {
      hasSymlinks = try !settings.isOn("no-symlinks", flag: arguments.flag("--no-symlinks"))
    }
    if declared.contains(.config) {
      config = try settings.value("config", flag: arguments.option("--config") { $0 }) { $0 }
    }
    if declared.contains(.json) {
      isJSON = try settings.isOn("json", flag: arguments.flag("--json"))
    }
    if declared.contains(.color) {
      let flag = try arguments.option("--color", Self.color)
      color = try settings.value("color", flag: flag, Self.color) ?? .auto
    }
    let isQuiet = declared.contains(.quiet) ? try arguments.flag("--quiet") : false
    let isVerbose = declared.contains(.verbose) ? try arguments.flag("--verbose") : false
    let given = try Verbosity(isQuiet, isVerbose)
    let preset = try Verbosity(
      settings.isOn("quiet", flag: false),
      settings.isOn("verbose", flag: false)
    )
    verbosity = given ?? preset ?? .normal
  }

  private static func hasLocks(_ text: String) throws(UsageError) -> Bool {
    switch text {
    case "kernel": return true
    case "none": return false
    default: throw UsageError("\(quoted(text)) is not kernel or none")
    }
  }

  private static func color(_ text: String) throws(UsageError) -> Color {
    guard let color = Color(rawValue: text) else {
      throw UsageError("\(quoted(text)) is not auto, always or never")
    }
    return color
  }
}

/// How much a tool says besides its results.
package enum Verbosity: Int, Comparable, Sendable {
  case quiet, normal, verbose

  package static func < (one: Verbosity, other: Verbosity) -> Bool {
    one.rawValue < other.rawValue
  }

  fileprivate init?(_ isQuiet: Bool, _ isVerbose: Bool) throws(UsageError) {
    switch (isQuiet, isVerbose) {
    case (true, true): throw UsageError("quiet and verbose exclude each other")
    case (true, false): self = .quiet
    case (false, true): self = .verbose
    case (false, false): return nil
    }
  }
}
