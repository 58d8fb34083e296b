import Digests
package import Manifests
import Signatures
package import StrictJSON

/// A repository that a person has added: where it is, which models belong to it, and the root to start from.
package struct PinnedRepository: Hashable, Sendable {
  package let name: RepositoryName
  /// Where it lies: the first URL is its own, the others are mirrors of it.
  package let urls: [RepositoryURL]
  /// The models that belong to it.
  package let models: [ModelPattern]
  /// The file of the root that the person chose, byte for byte.
  package let root: [UInt8]

  /// Takes at least one URL and at least one pattern.
  package init(
    name: RepositoryName,
    urls: [RepositoryURL],
    models: [ModelPattern],
    root: [UInt8]
  ) {
    precondition(!urls.isEmpty && !models.isEmpty, "a repository has a place and models")
    (self.name, self.urls, self.root) = (name, urls, root)
    self.models = models.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  package func covers(_ model: ModelName) -> Bool { models.contains { $0.matches(model) } }
}

/// The repositories of a client, whose patterns do not overlap.
///
///     { "schema": "sealift.repositories/1",
///       "repositories": { "models.example.com": { "urls": ["https://models.example.com/sealift"],
///                                                 "models": ["acme/*"], "root": "<base64 of the file>" } } }
///
/// Unknown members are refused: a rule that this version does not understand must not be skipped.
package struct RepositoryList: Hashable, Sendable {
  private static let schema = "sealift.repositories/1"
  private static let place = "repositories.json"

  /// The repositories by their names.
  package private(set) var repositories: [PinnedRepository] = []

  package init() {}

  /// The repository to which a model belongs; nil where the client's own trust policy decides.
  package func repository(for model: ModelName) -> PinnedRepository? {
    repositories.first { $0.covers(model) }
  }

  /// The repository of this name; nil if there is none.
  package func repository(named name: RepositoryName) -> PinnedRepository? {
    repositories.first { $0.name == name }
  }

  /// With one repository more, or in the place of the one with its name and its URL.
  ///
  /// - Throws: `nameTaken` for a name that another repository has, or one that differs from it in case alone; `overlap`
  ///   where two repositories would decide about one model.
  package func adding(_ new: PinnedRepository) throws(RepositoryError) -> RepositoryList {
    var list = self
    list.repositories.removeAll { $0.name == new.name && $0.urls[0] == new.urls[0] }
    for other in list.repositories {
      guard !other.name.collides(with: new.name) else {
        throw .nameTaken(new.name, url: other.urls[0])
      }
      for pattern in new.models {
        guard let taken = other.models.first(where: { $0.overlaps(pattern) }) else { continue }
        throw .overlap(pattern, with: taken, of: other.name)
      }
    }
    list.repositories.append(new)
    list.repositories.sort { $0.name < $1.name }
    return list
  }

  /// Without the repository of this name; throws `noSuchRepository`.
  package func removing(_ name: RepositoryName) throws(RepositoryError) -> RepositoryList {
    var list = self
    list.repositories.removeAll { $0.name == name }
    guard list.repositories.count < repositories.count else { throw .noSuchRepository(name) }
    return list
  }

  /// Reads a list; throws `document` with the place, or what ``adding(_:)`` throws.
  package init(document: JSONValue) throws(RepositoryError) {
    let repositories: [PinnedRepository]
    do throws(DocumentProblem) {
      let top = try JSONMembers<DocumentProblem>(document: document)
      try top.node("schema").expect(Self.schema)
      try top.refuseUnknown(besides: ["schema", "repositories"])
      var read: [PinnedRepository] = []
      for (name, node) in try top.object("repositories").nodes {
        read.append(try Self.repository(name, node))
      }
      repositories = read
    } catch {
      throw .document(path: Self.place, error)
    }
    var list = RepositoryList()
    for repository in repositories { list = try list.adding(repository) }
    self = list
  }

  /// The list as a document, always the same for the same list.
  package var document: JSONValue {
    [
      "schema": .string(Self.schema),
      "repositories": .object(
        JSONObject(
          uniqueMembers: repositories.map { repository in
            (
              repository.name.text,
              [
                "urls": .array(repository.urls.map { .string($0.text) }),
                "models": .array(repository.models.map { .string($0.text) }),
                "root": .string(Base64.encode(repository.root)),
              ]
            )
          }
        )
      ),
    ]
  }

  private static func repository(
    _ name: String,
    _ node: JSONNode<DocumentProblem>
  ) throws(DocumentProblem) -> PinnedRepository {
    let members = try node.object()
    try members.refuseUnknown(besides: ["urls", "models", "root"])
    let urls = try members.array("urls").map { url throws(DocumentProblem) in
      try url.text { text throws(ManifestError) in try RepositoryURL(text) }
    }
    let models = try members.array("models").map { pattern throws(DocumentProblem) in
      try Self.pattern(pattern)
    }
    for (list, isEmpty) in [("urls", urls.isEmpty), ("models", models.isEmpty)] where isEmpty {
      throw .unexpected(path: members.path(of: list), expected: "at least one", found: "none")
    }
    guard let root = Base64.decode(try members.string("root")) else {
      throw .notBase64(path: members.path(of: "root"))
    }
    do throws(ManifestError) {
      let name = try RepositoryName(name)
      return PinnedRepository(name: name, urls: urls, models: models, root: root)
    } catch {
      throw DocumentProblem(error, at: node.path)
    }
  }

  private static func pattern(
    _ node: JSONNode<DocumentProblem>
  ) throws(DocumentProblem) -> ModelPattern {
    let text = try node.string()
    do throws(TrustError) { return try ModelPattern(text) } catch {
      throw .unexpected(path: node.path, expected: "a pattern of model names", found: text)
    }
  }
}

extension JSONMembers where Failure == DocumentProblem {
  fileprivate func refuseUnknown(besides known: [String]) throws(DocumentProblem) {
    guard let name = unknownNames(besides: known).first else { return }
    throw .unexpected(
      path: path(of: name),
      expected: known.joined(separator: ", "),
      found: name
    )
  }
}
