/// The members of the predicate that this program knows, as `critical` names them.
///
/// A name in `critical` is that of a member of the predicate, or, after a dot, of a member in each
/// entry of `files`, in a file's `format`, in each entry of `runtimes` or in `requires`: `expires`,
/// `files.chunks`, `files.format.types`, `files.runtimes.below`. A name that isn't listed here
/// refuses the release, whether or not the member occurs.
package enum CriticalMembers {
  static let predicate = [
    "model", "version", "released", "license", "files", "runtimes", "mirrors", "expires", "title",
    "notes", "baseModels", "provenance", "requires", "critical",
  ]
  static let file = [
    "size", "sha256", "role", "format", "chunks", "runtimes", "mirrors", "basis",
  ]
  static let runtime = ["name", "scheme", "min", "below", "exclude", "because"]
  static let needs = ["memory", "disk", "platform"]

  /// Whether a reader of this version understands the member.
  package static func isKnown(_ name: String) -> Bool {
    known.contains(Array(name.utf8))
  }

  private static let known: Set<[UInt8]> = {
    let names =
      predicate + file.map { "files.\($0)" } + FormatFacts.commonNames.map { "files.format.\($0)" }
      + runtime.flatMap { ["runtimes.\($0)", "files.runtimes.\($0)"] }
      + needs.map { "requires.\($0)" }
    return Set(names.map { Array($0.utf8) })
  }()
}
