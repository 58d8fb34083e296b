import Manifests
import StrictJSON

/// A runtime that this client states, and what it brings with it.
struct StatedHost: Hashable {
  /// The runtime or the application itself.
  let statement: RuntimeStatement
  /// The runtimes that an application embeds.
  var provides: [RuntimeStatement] = []
}

/// The runtimes that this client states for every command: `runtimes.json` in its configuration.
///
///     { "llama.cpp": "b5873",
///       "myapp": { "version": "3.1", "provides": { "llama.cpp": "b10488" } } }
struct RuntimeFile {
  private let file: ConfigurationFile

  init(in folder: String) { file = ConfigurationFile("runtimes.json", in: folder) }

  var path: String { file.path }

  /// Reads the hosts; where there is no file, nothing is stated.
  func hosts() throws -> [StatedHost] {
    guard let document = try file.load() else { return [] }
    return try JSONMembers<JSONShapeError>(document: document).nodes.map { name, node in
      guard case .object = node.value else {
        return StatedHost(statement: try RuntimeStatement("\(name)=\(try node.string())"))
      }
      let members = try node.object()
      let provided = try members.object("provides").nodes.map { name, version in
        try RuntimeStatement("\(name)=\(try version.string())")
      }
      return StatedHost(
        statement: try RuntimeStatement("\(name)=\(try members.string("version"))"),
        provides: provided
      )
    }
  }

  /// The statements of the file: those of runtimes themselves before those of what embeds them.
  func load() throws -> [RuntimeStatement] {
    let hosts = try hosts()
    return hosts.map(\.statement) + hosts.flatMap(\.provides)
  }

  /// The statements of the command line, and those of the file for runtimes that it does not name.
  func load(overriddenBy flags: [RuntimeStatement]) throws -> [RuntimeStatement] {
    let named = Set(flags.map(\.name))
    return flags + (try load().filter { !named.contains($0.name) })
  }

  /// Replaces what the file states of the same runtimes, which must differ from each other.
  func set(_ hosts: [StatedHost]) throws {
    try file.change {
      let named = Set(hosts.map(\.statement.name))
      let all = hosts + (try self.hosts().filter { !named.contains($0.statement.name) })
      let members = all.map { ($0.statement.name.text, $0.json) }
      return .object(JSONObject(uniqueMembers: members.sorted { $0.0 < $1.0 }))
    }
  }
}

extension StatedHost {
  fileprivate var json: JSONValue {
    let version = JSONValue.string(statement.version)
    guard !provides.isEmpty else { return version }
    let provided = provides.map { ($0.name.text, JSONValue.string($0.version)) }
    return .object([
      "version": version,
      "provides": .object(JSONObject(uniqueMembers: provided.sorted { $0.0 < $1.0 })),
    ])
  }
}
