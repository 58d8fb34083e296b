import Digests
import Manifests
import StrictJSON

/// The model of a bill of materials: what the release as a whole is, with its model card.
struct ModelComponent {
  static let reference = "release"

  private let release: Release
  private let manifest: SHA256Digest

  init(_ release: Release, manifest: SHA256Digest) {
    self.release = release
    self.manifest = manifest
  }

  var members: JSONObject {
    let words = release.model.text.split(separator: "/").map(String.init)
    var members: JSONObject = [
      "type": "machine-learning-model", "bom-ref": .string(Self.reference),
    ]
    if words.count > 1 { members["group"] = .string(words[0]) }
    members["name"] = .string(words[words.count - 1])
    members["version"] = .string(release.version.text)
    members["description"] = release.details.title.map { .string($0) }
    members["licenses"] = release.license.map { [$0.choice] }
    if !release.details.baseModels.isEmpty { members["pedigree"] = .object(pedigree) }
    if let notes = release.details.notes {
      members["releaseNotes"] = [
        "type": "other",
        "title": .string("\(release.model) \(release.version)"),
        "timestamp": .string(release.released.text),
        "description": .string(notes),
      ]
    }
    members["modelCard"] = .object(modelCard)
    members["properties"] = .array(properties)
    return members
  }

  private var pedigree: JSONObject {
    let ancestors = release.details.baseModels.map { name in
      JSONValue.object(["type": "machine-learning-model", "name": .string(name)])
    }
    return ["ancestors": .array(ancestors)]
  }

  /// The files that hold the weights, or else all.
  private var weights: [FileEntry] {
    let weights = release.files.filter { $0.role == .weights }
    return weights.isEmpty ? release.files : weights
  }

  private var modelCard: JSONObject {
    var card: JSONObject = [:]
    if let architecture = weights.lazy.compactMap(\.format.architecture).first {
      card["modelParameters"] = ["modelArchitecture": .string(architecture)]
    }
    var facts: [JSONValue] = []
    for format in distinct(weights.map(\.format.name.text)) {
      facts.append(property("format", format))
    }
    for type in distinct(weights.flatMap(\.format.types)) { facts.append(property("type", type)) }
    if let first = weights.first { facts += first.format.properties }
    card["properties"] = .array(facts)
    return card
  }

  private var properties: [JSONValue] {
    var properties = [property("manifestSha256", manifest.hex)]
    properties.append(property("size", String(release.size)))
    if let expires = release.details.expires {
      properties.append(property("expires", expires.text))
    }
    properties += release.runtimes.map { property("runtime", $0.description) }
    if let needs = release.details.needs {
      if let memory = needs.memory { properties.append(property("memory", String(memory))) }
      if let disk = needs.disk { properties.append(property("disk", String(disk))) }
      properties += needs.platform.map { property("platform", $0) }
    }
    if let provenance = release.details.provenance {
      let text = String(decoding: JSONWriter.canonical(provenance), as: UTF8.self)
      properties.append(property("provenance", text))
    }
    return properties
  }

  private func distinct(_ texts: [String]) -> [String] {
    texts.reduce(into: []) { all, text in if !all.contains(text) { all.append(text) } }
  }
}

/// A name-value pair under our own prefix.
func property(_ name: String, _ value: String) -> JSONValue {
  ["name": .string("sealift:\(name)"), "value": .string(value)]
}

extension License {
  /// What the schema calls a licence choice: an expression where the text is one, else a name.
  fileprivate var choice: JSONValue {
    isExpression ? ["expression": .string(text)] : ["license": ["name": .string(text)]]
  }
}

extension FormatFacts {
  /// The facts beyond the common ones, in the order of their names.
  var properties: [JSONValue] {
    more.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.flatMap { name, fact in
      fact.texts.map { property(name, $0) }
    }
  }
}

extension FormatFacts.Fact {
  fileprivate var texts: [String] {
    switch self {
    case .integer(let value): [String(value)]
    case .text(let text): [text]
    case .list(let texts): texts
    case .counts(let counts):
      counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { "\($0.key): \($0.value)" }
    }
  }
}
