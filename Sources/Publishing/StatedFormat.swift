import Manifests
import ModelFormats

/// The format that a publisher states, beside what the content of a file says.
struct StatedFormat {
  let name: FormatName

  /// The facts about a file that it applies to.
  ///
  /// A format that the program can see in the bytes must be there. Another name stands, as declared, for a file
  /// whose content tells nothing.
  func facts(given found: FormatFacts) throws(Difference) -> FormatFacts {
    if name == found.name { return found }
    guard found.name == .other, ModelFormat(rawValue: name.text) == nil else {
      throw Difference(reason: .format(stated: name, found: found.name))
    }
    return FormatFacts(name: name, basis: .declared)
  }

  struct Difference: Error {
    let reason: UnfitFile.Reason
  }

  /// Whether the statement is about a file of this role; of a release's only file it always is.
  static func applies(to role: FileRole, isOnlyFile: Bool) -> Bool {
    isOnlyFile || [.weights, .projector, .draft, .adapter].contains(role)
  }

  /// The format of a file that nobody has seen: as stated, else as its name promises.
  static func declared(_ stated: FormatName?, for path: RelativePath) -> FormatFacts {
    let byName = path.fileExtension.flatMap { ModelFormat(rawValue: $0) }?.name
    return FormatFacts(name: stated ?? byName ?? .other, basis: .declared)
  }
}
