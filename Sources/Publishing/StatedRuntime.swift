package import Manifests

extension RuntimeRequirement {
  /// What a manifest gives as the reason of a minimum that the publisher stated.
  private static let statedReason = "stated by the publisher"

  /// Reads `NAME:MIN`, or `NAME:SCHEME:MIN` where the scheme does not follow from the rest.
  ///
  /// After a comma each, `below=VERSION` gives the first version that no longer works, and
  /// `exclude=VERSION` or `exclude=FROM..TO` versions in between that don't.
  ///
  /// Without a scheme, `bNNNN` counts builds, and so does a number alone for `llama.cpp`; `X.Y.Z` is a semantic
  /// version unless the runtime is known for another kind, and other numbers between dots are compared part by part.
  /// What a file is bound to, as an engine is to `tensorrt` and a `compute-capability`, is that text and no other.
  /// - Throws: ``PublishingError/badRuntime(_:)``, or `ManifestError` for a name or version that breaks a rule.
  package init(stated text: String) throws {
    let words = Self.split(text, at: ",")
    let parts = Self.split(words.first ?? "", at: ":", most: 3)
    guard let first = parts.first, let minimum = parts.last, parts.count >= 2, !minimum.isEmpty
    else { throw PublishingError.badRuntime(text) }
    let name = try RuntimeName(first)
    let bounds = try Self.bounds(words.dropFirst(), of: text)
    if parts.count == 3 {
      self = try Self.stated(name, try RuntimeScheme(parts[1]), minimum, bounds)
      return
    }
    let schemes = Self.schemes(of: name, minimum)
    for scheme in schemes {
      guard let requirement = try? Self.stated(name, scheme, minimum, bounds) else { continue }
      self = requirement
      return
    }
    // A minimum that is one tells what is wrong with the rest.
    for scheme in schemes where (try? Self.stated(name, scheme, minimum, Bounds())) != nil {
      self = try Self.stated(name, scheme, minimum, bounds)
      return
    }
    throw PublishingError.badRuntime(text)
  }

  /// The same statement in another scheme where plain numbers between dots mean the same in both, so that `1.8` is
  /// the semantic version 1.8.0; else this one.
  func written(as scheme: RuntimeScheme) -> RuntimeRequirement {
    let schemes: Set<RuntimeScheme> = [.semver, .dotted]
    let texts = [minimum] + (below.map { [$0] } ?? []) + exclude.map(\.text)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isPlain = texts.allSatisfy { text in
      text.utf8.allSatisfy { digits.contains($0) || $0 == UInt8(ascii: ".") }
    }
    guard self.scheme != scheme, schemes == [self.scheme, scheme], isPlain,
      let written = try? RuntimeRequirement(
        name: name,
        scheme: scheme,
        minimum: minimum,
        below: below,
        exclude: exclude.map(\.text),
        because: because
      )
    else { return self }
    return written
  }

  private struct Bounds {
    var below: String?
    var exclude: [String] = []
  }

  private static func bounds(
    _ words: ArraySlice<String>,
    of text: String
  ) throws(PublishingError) -> Bounds {
    var bounds = Bounds()
    for word in words {
      let parts = split(word, at: "=", most: 2)
      switch parts.first {
      case "below" where parts.count == 2 && bounds.below == nil: bounds.below = parts[1]
      case "exclude" where parts.count == 2: bounds.exclude.append(parts[1])
      default: throw .badRuntime(text)
      }
    }
    return bounds
  }

  private static func stated(
    _ name: RuntimeName,
    _ scheme: RuntimeScheme,
    _ minimum: String,
    _ bounds: Bounds
  ) throws(ManifestError) -> Self {
    try Self(
      name: name,
      scheme: scheme,
      minimum: minimum,
      below: bounds.below,
      exclude: bounds.exclude,
      because: [statedReason]
    )
  }

  private static func split(
    _ text: String,
    at separator: Unicode.Scalar,
    most: Int = .max
  ) -> [String] {
    text.utf8.split(
      separator: UInt8(ascii: separator),
      maxSplits: most - 1,
      omittingEmptySubsequences: false
    ).map { String(decoding: Array($0), as: UTF8.self) }
  }

  /// The schemes in which `minimum` may be meant, the most likely first.
  private static func schemes(of name: RuntimeName, _ minimum: String) -> [RuntimeScheme] {
    if minimum.utf8.first == UInt8(ascii: "b") { return [.build] }
    let partCount = minimum.utf8.count { $0 == UInt8(ascii: ".") } + 1
    if name.text == "llama.cpp" { return partCount == 1 ? [.build] : [.semver] }
    if ["tensorrt", "compute-capability"].contains(name.text) { return [.exact] }
    if ["coreml", "ios", "macos", "tflite"].contains(name.text) { return [.dotted] }
    return partCount >= 3 ? [.semver, .dotted] : [.dotted]
  }
}
