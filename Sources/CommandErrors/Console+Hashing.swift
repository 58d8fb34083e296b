package import CommandLineKit
package import Digests

extension Console {
  /// Warns if a way to hash that this processor claims to have gave wrong digests; another was used instead.
  package func warnAboutHashing(_ choice: HashChoice = .forThisMachine) {
    guard !choice.broken.isEmpty else { return }
    let names = choice.broken.map { "\($0)" }.joined(separator: ", ")
    warn(
      Diagnostic(
        .internalError,
        kind: .brokenHashing,
        "this machine hashes wrongly with \(names)",
        notes: ["\(choice.path) was used instead, and its digests are right"],
        helps: ["have the processor checked, and report this"]
      )
    )
  }
}
