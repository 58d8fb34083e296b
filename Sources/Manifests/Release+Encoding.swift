import Digests
import StrictJSON

extension Release {
  /// Returns the payload: the canonical bytes of the in-toto Statement about this release.
  ///
  /// Equal releases give equal bytes, and `Release(payload:)` gives the release back.
  package func encode() -> [UInt8] { Statement.encode(self) }

  /// The predicate, which alone describes the release.
  var json: JSONValue {
    var object: JSONObject = [
      "model": .string(model.text),
      "version": .string(version.text),
      "released": .string(released.text),
      "files": .object(JSONObject(uniqueMembers: files.map { ($0.path.text, $0.json) })),
      "runtimes": .array(runtimes.map(\.json)),
      "mirrors": .texts(mirrors.map(\.text)),
    ]
    object["license"] = (license?.text).map { .string($0) }
    details.write(to: &object)
    return .object(object)
  }
}

extension ReleaseDetails {
  fileprivate func write(to object: inout JSONObject) {
    object["expires"] = (expires?.text).map { .string($0) }
    object["title"] = title.map { .string($0) }
    object["notes"] = notes.map { .string($0) }
    if !baseModels.isEmpty { object["baseModels"] = .texts(baseModels) }
    object["provenance"] = provenance
    object["requires"] = needs?.json
    if !critical.isEmpty { object["critical"] = .texts(critical) }
  }
}

extension FileEntry {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "size": .integer(Int64(size)),
      "sha256": .string(sha256.hex),
      "role": .string(role.text),
      "format": format.json,
    ]
    object["chunks"] = (chunks?.base64).map { .string($0) }
    if !runtimes.isEmpty { object["runtimes"] = .array(runtimes.map(\.json)) }
    if !mirrors.isEmpty { object["mirrors"] = .texts(mirrors.map(\.text)) }
    if basis != .measured { object["basis"] = .string(basis.rawValue) }
    return .object(object)
  }
}

extension FormatFacts {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(name.text)]
    object["version"] = version.map { .integer(Int64($0)) }
    object["architecture"] = architecture.map { .string($0) }
    if !types.isEmpty { object["types"] = .texts(types) }
    if basis != .measured { object["basis"] = .string(basis.rawValue) }
    for (name, fact) in more { object[name] = fact.json }
    return .object(object)
  }
}

extension FormatFacts.Fact {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let value): .integer(Int64(value))
    case .text(let text): .string(text)
    case .list(let texts): .texts(texts)
    case .counts(let counts):
      .object(JSONObject(uniqueMembers: counts.map { ($0.key, .integer(Int64($0.value))) }))
    }
  }
}

extension RuntimeRequirement {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name.text), "scheme": .string(scheme.rawValue), "min": .string(minimum),
    ]
    object["below"] = below.map { .string($0) }
    if !exclude.isEmpty { object["exclude"] = .texts(exclude.map(\.text)) }
    if !because.isEmpty { object["because"] = .texts(because) }
    return .object(object)
  }
}

extension HostNeeds {
  fileprivate var json: JSONValue {
    var object = JSONObject()
    object["memory"] = memory.map { .integer(Int64($0)) }
    object["disk"] = disk.map { .integer(Int64($0)) }
    if !platform.isEmpty { object["platform"] = .texts(platform) }
    return .object(object)
  }
}

extension JSONValue {
  fileprivate static func texts(_ texts: [String]) -> JSONValue {
    .array(texts.map { .string($0) })
  }
}
