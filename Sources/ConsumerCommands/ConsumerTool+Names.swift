package import CommandLineKit
import Manifests
import ModelStore

extension ConsumerTool {
  /// The models in the store, and their versions, from the names of folders alone.
  package static func names(
    for form: ValueForm,
    _ context: CommandContext
  ) throws -> [String] {
    let folders = try ClientFolders(context)
    guard let store = try Store.open(reading: folders.store) else { return [] }
    let models = try store.modelNames()
    if form == .model { return models.map(\.text) }
    var versions: [String] = []
    for model in models {
      versions += try store.model(model).versionNames().map { "\(model)@\($0.version)" }
    }
    return form == .version ? versions : models.map(\.text) + versions
  }
}
