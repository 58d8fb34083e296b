import Manifests
import Trust

/// A model on the command line, with or without the versions that are wanted: `lfm2-2.6b`, `acme/tiny-chat@1.2`.
struct ModelDemand: Equatable {
  let model: ModelName
  let range: ReleaseRange

  init(_ text: String) throws(ManifestError) {
    let bytes = text.utf8
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")) else {
      (model, range) = (try ModelName(text), .any)
      return
    }
    model = try ModelName(String(text[..<at]))
    range = try ReleaseRange(String(text[bytes.index(after: at)...]))
  }
}
