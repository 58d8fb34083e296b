import CommandErrors
import CommandLineKit
import Manifests
import Trust

/// What a person says of the end of a key that is added.
enum KeyEnd: Equatable {
  /// Nothing: a key that is known keeps its end, any other has none.
  case asKnown
  /// It has no end, whatever it had.
  case never
  case at(Timestamp)

  /// Reads a time, or `never`.
  init(_ text: String) throws(UsageError) {
    if text.utf8.elementsEqual("never".utf8) {
      self = .never
      return
    }
    do { self = .at(try Timestamp(text)) } catch {
      throw UsageError(
        error.text,
        helps: ["write it as 2027-11-30T00:00:00Z, or never for a key without an end"]
      )
    }
  }

  /// The time that was stated.
  var time: Timestamp? {
    if case .at(let time) = self { time } else { nil }
  }
}

extension Diagnostic {
  /// Says which rules change beside the one that was meant, since they name the same key.
  init(_ change: KeyChange) {
    var notes: [String] = []
    if change.changesEnd {
      notes.append("its end: \(change.after.endWords), before \(change.before.endWords)")
    }
    if change.changesName {
      notes.append("its name: \(change.after.name), before \(change.before.name)")
    }
    self.init(
      .done,
      kind: .otherRulesChanged,
      "\(change.after.fingerprint) is changed in other rules, too",
      notes: notes + change.rules.map { "the rule \($0.words) names it" },
      helps: change.changesEnd && change.after.notAfter != nil
        ? ["--not-after never takes the end away again, in all of them"] : []
    )
  }
}

extension TrustedKey {
  fileprivate var endWords: String { notAfter?.text ?? "none" }
}
