import Manifests
import StrictJSON

/// The runtimes that this client states for every command: `runtimes.json` in its configuration.
///
///     { "llama.cpp": "b5873" }
struct RuntimeFile {
  private let file: ConfigurationFile

  init(in folder: String) { file = ConfigurationFile("runtimes.json", in: folder) }

  var path: String { file.path }

  /// Reads the statements; where there is no file, nothing is stated.
  func load() throws -> [RuntimeStatement] {
    guard let document = try file.load() else { return [] }
    return try JSONMembers<JSONShapeError>(document: document).nodes.map { name, version in
      try RuntimeStatement("\(name)=\(try version.string())")
    }
  }

  /// The statements of the command line, and those of the file for runtimes that it does not name.
  func load(overriddenBy flags: [RuntimeStatement]) throws -> [RuntimeStatement] {
    let named = Set(flags.map(\.name))
    return flags + (try load().filter { !named.contains($0.name) })
  }

  /// Replaces what the file states of the same runtimes, which must differ from each other.
  func set(_ statements: [RuntimeStatement]) throws {
    try file.change {
      let all = try load(overriddenBy: statements)
      let members = all.map { ($0.name.text, JSONValue.string($0.version)) }
      return .object(JSONObject(uniqueMembers: members.sorted { $0.0 < $1.0 }))
    }
  }
}
