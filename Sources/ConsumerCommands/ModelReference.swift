import Manifests

/// A model on the command line, with or without a version: `lfm2-2.6b`, `acme/tiny-chat@1.2.0`.
struct ModelReference: Equatable {
  let model: ModelName
  let version: Version?

  init(_ text: String) throws(ManifestError) {
    let bytes = text.utf8
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")) else {
      model = try ModelName(text)
      version = nil
      return
    }
    model = try ModelName(String(text[..<at]))
    version = try Version(String(text[bytes.index(after: at)...]))
  }
}
