import Digests
import StrictJSON

extension Release {
  /// Reads a payload: an in-toto Statement about a release, in any unambiguous JSON.
  ///
  /// Members that this version doesn't know are ignored unless `critical` lists them. Mirrors with
  /// a scheme that it doesn't know are left out: they are hints, and others may remain. Throws
  /// `payload` with the first problem. Whoever acts on the result has verified a signature over
  /// these very bytes before.
  package init(payload: [UInt8]) throws(ManifestError) {
    do {
      let statement = try Statement(payload: payload)
      let release = try Release(predicate: statement.predicate)
      try statement.checkSubjects(against: release.files)
      self = release
    } catch {
      throw .payload(error)
    }
  }

  private init(predicate: Members) throws(DocumentProblem) {
    let critical = try predicate.optionalStrings("critical") ?? []
    if let unknown = critical.first(where: { !CriticalMembers.isKnown($0) }) {
      throw .unknownCritical(unknown)
    }
    let files = try predicate.object("files")
    guard files.object.count <= Release.maximumFileCount else {
      throw .release(.tooManyFiles(limit: Release.maximumFileCount, found: files.object.count))
    }
    var entries: [FileEntry] = []
    for (name, node) in files.nodes { entries.append(try FileEntry(name: name, node)) }
    let model = try predicate.node("model").text(ModelName.init)
    let version = try predicate.node("version").text(Version.init)
    let released = try predicate.node("released").text(Timestamp.init(_:))
    let license = try predicate.optionalNode("license")?.text(License.init)
    let runtimes = try predicate.runtimes()
    let mirrors = try predicate.mirrors()
    let details = try ReleaseDetails(predicate, critical: critical)
    do {
      try self.init(
        model: model,
        version: version,
        released: released,
        license: license,
        files: entries,
        runtimes: runtimes,
        mirrors: mirrors,
        details: details
      )
    } catch {
      throw DocumentProblem(error, at: predicate.path)
    }
  }
}

private typealias Members = JSONMembers<DocumentProblem>
private typealias Node = JSONNode<DocumentProblem>

extension FileEntry {
  fileprivate init(name: String, _ node: Node) throws(DocumentProblem) {
    let path: RelativePath
    do { path = try RelativePath(name) } catch { throw DocumentProblem(error, at: node.path) }
    let file = try node.object()
    self.init(
      path: path,
      size: try file.integer("size"),
      sha256: try file.node("sha256").sha256(),
      role: try file.node("role").text(FileRole.init),
      format: try FormatFacts(file.object("format")),
      chunks: try file.optionalNode("chunks")?.text { text throws(ManifestError) in
        try ChunkTable(base64: text, of: path)
      },
      runtimes: try file.runtimes(),
      mirrors: try file.mirrors(),
      basis: try file.basis()
    )
  }
}

extension FormatFacts {
  fileprivate init(_ format: Members) throws(DocumentProblem) {
    var more: [String: Fact] = [:]
    for (name, node) in format.nodes where !Self.commonNames.contains(name) {
      more[name] = Fact(node.value)
    }
    self.init(
      name: try format.node("name").text(FormatName.init(_:)),
      version: try format.optionalInteger("version"),
      architecture: try format.optionalString("architecture"),
      types: try format.optionalStrings("types") ?? [],
      more: more,
      basis: try format.basis()
    )
  }
}

extension FormatFacts.Fact {
  /// Takes a value of one of the four kinds; nil for others, which belong to a later version of the
  /// schema.
  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .integer(let value): self = .integer(Int(value))
    case .string(let text): self = .text(text)
    case .array(let elements):
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else { return nil }
        texts.append(text)
      }
      self = .list(texts)
    case .object(let object):
      var counts: [String: Int] = [:]
      for member in object.members {
        guard case .integer(let count) = member.value else { return nil }
        counts[member.name] = Int(count)
      }
      self = .counts(counts)
    case .boolean, .null: return nil
    }
  }
}

extension ReleaseDetails {
  fileprivate init(_ predicate: Members, critical: [String]) throws(DocumentProblem) {
    self.init(
      expires: try predicate.optionalNode("expires")?.text(Timestamp.init(_:)),
      title: try predicate.optionalString("title"),
      notes: try predicate.optionalString("notes"),
      baseModels: try predicate.optionalStrings("baseModels") ?? [],
      provenance: predicate.optionalNode("provenance")?.value,
      needs: try predicate.optionalObject("requires").map { needs throws(DocumentProblem) in
        HostNeeds(
          memory: try needs.optionalInteger("memory"),
          disk: try needs.optionalInteger("disk"),
          platform: try needs.optionalStrings("platform") ?? []
        )
      },
      critical: critical
    )
  }
}

extension JSONMembers where Failure == DocumentProblem {
  fileprivate func basis() throws(DocumentProblem) -> Basis {
    guard let node = optionalNode("basis") else { return .measured }
    let text = try node.string()
    guard let basis = Basis(rawValue: text) else {
      throw .unexpected(path: node.path, expected: Basis.declared.rawValue, found: text)
    }
    return basis
  }

  fileprivate func mirrors() throws(DocumentProblem) -> [MirrorTemplate] {
    var mirrors: [MirrorTemplate] = []
    for node in try optionalArray("mirrors") ?? [] {
      do {
        mirrors.append(try node.text(MirrorTemplate.init))
      } catch .text(_, let problem) where problem.fault.isUnsupportedScheme {
        continue
      }
    }
    return mirrors
  }

  fileprivate func runtimes() throws(DocumentProblem) -> [RuntimeRequirement] {
    try (optionalObjects("runtimes") ?? []).map { runtime throws(DocumentProblem) in
      try RuntimeRequirement(runtime)
    }
  }
}

extension RuntimeRequirement {
  fileprivate init(_ runtime: Members) throws(DocumentProblem) {
    let name = try runtime.node("name").text(RuntimeName.init)
    let scheme = try runtime.node("scheme").text(RuntimeScheme.init(_:))
    let minimum = try runtime.string("min")
    let below = try runtime.optionalString("below")
    let exclude = try runtime.optionalStrings("exclude") ?? []
    let because = try runtime.optionalStrings("because") ?? []
    do {
      try self.init(
        name: name,
        scheme: scheme,
        minimum: minimum,
        below: below,
        exclude: exclude,
        because: because
      )
    } catch {
      throw DocumentProblem(error, at: runtime.path)
    }
  }
}

extension TextFault {
  fileprivate var isUnsupportedScheme: Bool {
    if case .unsupportedScheme = self { true } else { false }
  }
}
