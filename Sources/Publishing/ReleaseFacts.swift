import Manifests
import StrictJSON

/// What a manifest says of a release beside its files, each fact under its name as a list of texts.
struct ReleaseFacts {
  private typealias Value = ReleaseDifference.Fact.Value

  private let facts: [(name: String, values: [Value])]

  init(_ release: Release) {
    let details = release.details
    facts = [
      ("model", [Value(release.model.text)]),
      ("version", [Value(release.version.text)]),
      ("released", [Value(release.released.text)]),
      ("expires", Self.list(details.expires?.text)),
      ("license", Self.list(release.license?.text)),
      ("title", Self.list(details.title)),
      ("notes", Self.list(details.notes)),
      ("runtimes", release.runtimes.map { Value($0.description) }),
      ("mirrors", release.mirrors.map { Value($0.text, shown: $0.redacted) }),
      ("baseModels", details.baseModels.map { Value($0) }),
      ("provenance", Self.list(details.provenance.map(Self.text))),
      ("requires", details.needs.map(Self.texts) ?? []),
      ("critical", details.critical.map { Value($0) }),
    ]
  }

  /// The facts that differ, in the order in which a manifest is shown.
  func differences(to other: ReleaseFacts) -> [ReleaseDifference.Fact] {
    zip(facts, other.facts).compactMap { old, new in
      old.values == new.values
        ? nil : ReleaseDifference.Fact(name: old.name, old: old.values, new: new.values)
    }
  }

  private static func list(_ text: String?) -> [Value] { text.map { [Value($0)] } ?? [] }

  private static func text(of value: JSONValue) -> String {
    String(decoding: JSONWriter.canonical(value), as: UTF8.self)
  }

  private static func texts(of needs: HostNeeds) -> [Value] {
    list(needs.memory.map { "memory \($0)" }) + list(needs.disk.map { "disk \($0)" })
      + needs.platform.map { Value("platform \($0)") }
  }
}
