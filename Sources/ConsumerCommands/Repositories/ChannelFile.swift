import Manifests
import StrictJSON
import SystemFiles
import Trust

/// Which releases of each model a person wants: `channels.json` in the configuration of the client.
///
///     { "models": { "lfm2-2.6b": { "channel": "beta", "versions": "1.2" } }, "schema": "sealift.channels/1" }
///
/// A model that it does not name follows the channel `stable`, in whatever version.
struct ChannelFile {
  /// What is wanted of one model.
  struct Wish: Hashable {
    var channel = ChannelName.stable
    var range = ReleaseRange.any

    /// What fits: one version that is named may be in any channel.
    var demand: ReleaseDemand {
      if case .exactly = range { return ReleaseDemand(channel: nil, range: range) }
      return ReleaseDemand(channel: channel, range: range)
    }
  }

  private static let name = "channels.json"
  private static let schema = "sealift.channels/1"
  private let file: ConfigurationFile

  init(in folder: String) { file = ConfigurationFile(Self.name, in: folder) }

  var path: String { file.path }

  /// Reads the wishes; where there is no file, every model follows `stable`.
  func load() throws -> [ModelName: Wish] {
    guard let document = try file.load() else { return [:] }
    do {
      return try Self.read(document)
    } catch {
      throw RepositoryError.document(path: Self.name, error)
    }
  }

  /// Writes down what is wanted of a model, while no other process changes the file.
  func set(_ wish: Wish, for model: ModelName) throws {
    guard try load()[model] ?? Wish() != wish else { return }
    try file.change {
      var wishes = try load()
      wishes[model] = wish == Wish() ? nil : wish
      return Self.document(wishes)
    }
  }

  private static func read(_ document: JSONValue) throws(DocumentProblem) -> [ModelName: Wish] {
    let top = try JSONMembers<DocumentProblem>(document: document)
    try top.node("schema").expect(schema)
    var wishes: [ModelName: Wish] = [:]
    for (name, node) in try top.object("models").nodes {
      let members = try node.object()
      let model: ModelName
      do { model = try ModelName(name) } catch { throw DocumentProblem(error, at: node.path) }
      var wish = Wish()
      if let channel = members.optionalNode("channel") {
        wish.channel = try channel.text { text throws(ManifestError) in try ChannelName(text) }
      }
      if let range = members.optionalNode("versions") {
        wish.range = try range.text { text throws(ManifestError) in try ReleaseRange(text) }
      }
      wishes[model] = wish
    }
    return wishes
  }

  private static func document(_ wishes: [ModelName: Wish]) -> JSONValue {
    let models = wishes.sorted { $0.key < $1.key }.map { model, wish in
      var members: JSONObject = ["channel": .string(wish.channel.text)]
      if wish.range != .any { members["versions"] = .string("\(wish.range)") }
      return (model.text, JSONValue.object(members))
    }
    return ["models": .object(JSONObject(uniqueMembers: models)), "schema": .string(schema)]
  }
}
