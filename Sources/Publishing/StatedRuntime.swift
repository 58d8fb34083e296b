package import Manifests

extension RuntimeRequirement {
  /// What a manifest gives as the reason of a minimum that the publisher stated.
  private static let statedReason = "stated by the publisher"

  /// Reads `NAME:MIN`, or `NAME:SCHEME:MIN` where the scheme does not follow from the rest.
  ///
  /// Without a scheme, `bNNNN` counts builds, and so does a number alone for `llama.cpp`; `X.Y.Z` is a semantic
  /// version unless the runtime is known for another kind, and other numbers between dots are compared part by part.
  /// - Throws: ``PublishingError/badRuntime(_:)``, or `ManifestError` for a name or version that breaks a rule.
  package init(stated text: String) throws {
    let parts = text.utf8.split(
      separator: UInt8(ascii: ":"),
      maxSplits: 2,
      omittingEmptySubsequences: false
    ).map { String(decoding: Array($0), as: UTF8.self) }
    guard let first = parts.first, let minimum = parts.last, parts.count >= 2, !minimum.isEmpty
    else { throw PublishingError.badRuntime(text) }
    let name = try RuntimeName(first)
    if parts.count == 3 {
      try self.init(
        name: name,
        scheme: RuntimeScheme(parts[1]),
        minimum: minimum,
        because: [Self.statedReason]
      )
      return
    }
    for scheme in Self.schemes(of: name, minimum) {
      let requirement = try? Self(
        name: name,
        scheme: scheme,
        minimum: minimum,
        because: [Self.statedReason]
      )
      guard let requirement else { continue }
      self = requirement
      return
    }
    throw PublishingError.badRuntime(text)
  }

  /// The schemes in which `minimum` may be meant, the most likely first.
  private static func schemes(of name: RuntimeName, _ minimum: String) -> [RuntimeScheme] {
    if minimum.utf8.first == UInt8(ascii: "b") { return [.build] }
    let partCount = minimum.utf8.count { $0 == UInt8(ascii: ".") } + 1
    if name.text == "llama.cpp" { return partCount == 1 ? [.build] : [.semver] }
    if ["coreml", "ios", "macos", "tflite"].contains(name.text) { return [.dotted] }
    return partCount >= 3 ? [.semver, .dotted] : [.dotted]
  }
}
