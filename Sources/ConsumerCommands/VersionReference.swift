import CommandLineKit
import Manifests

/// One version of a model on the command line: `lfm2-2.6b@1.0.0`.
struct VersionReference: Equatable {
  let model: ModelName
  let version: Version

  init(_ text: String) throws {
    let reference = try ModelReference(text)
    guard let version = reference.version else {
      throw UsageError("\(quoted(text)) has no version", helps: ["sealift list shows the versions"])
    }
    (model, self.version) = (reference.model, version)
  }
}
