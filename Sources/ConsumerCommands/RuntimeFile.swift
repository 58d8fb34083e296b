import CommandLineKit
import Manifests
import StrictJSON
import SystemFiles

/// The runtimes that this client states for every command: `runtimes.json` in its configuration.
///
///     { "llama.cpp": "b5873" }
struct RuntimeFile {
  private static let name = "runtimes.json"
  private static let limit = 64 * 1024

  let path: String
  private let folder: String

  init(in folder: String) {
    self.folder = folder
    path = "\(folder)/\(Self.name)"
  }

  /// Reads the statements; where there is no file, nothing is stated.
  func load() throws -> [RuntimeStatement] {
    guard let bytes = try readFile(at: path, limit: Self.limit) else { return [] }
    let members = try JSONMembers<JSONShapeError>(document: try JSONReader.parse(bytes))
    return try members.nodes.map { name, version in
      try RuntimeStatement("\(name)=\(try version.string())")
    }
  }

  /// The statements of the command line, and those of the file for runtimes that it does not name.
  func load(overriddenBy flags: [RuntimeStatement]) throws -> [RuntimeStatement] {
    let named = Set(flags.map(\.name))
    return flags + (try load().filter { !named.contains($0.name) })
  }

  /// Replaces what the file states of the same runtimes.
  func set(_ statements: [RuntimeStatement]) throws {
    let folder = try Folder(creating: folder, mode: 0o700)
    let all = try load(overriddenBy: statements).map {
      ($0.name.text, JSONValue.string($0.version))
    }
    let document = JSONValue.object(JSONObject(uniqueMembers: all.sorted { $0.0 < $1.0 }))
    try folder.replaceFile(Self.name, with: JSONWriter.pretty(document), mode: 0o600)
  }
}
