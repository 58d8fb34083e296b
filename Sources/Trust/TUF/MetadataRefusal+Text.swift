import Manifests

extension MetadataRefusal: CustomStringConvertible {
  /// The refusal in one line, fit for a terminal: `refused (TUF 5.4.3.1): timestamp rollback, version 4 < 7`.
  package var description: String { "refused (TUF \(section)): \(text)" }

  /// The same without the section.
  package var text: String { "\(target.map(\.description) ?? role.description) \(problem.text)" }
}

extension MetadataProblem {
  /// What follows the name of the role, in words.
  package var text: String {
    switch self {
    case .syntax(let error): "is malformed: \(error)"
    case .shape(let error): "is malformed: \(error)"
    case .text(let path, let found, let expected):
      "is malformed: \(escaped(path)) must be \(expected), not \"\(escaped(found))\""
    case .repeatedSignature(let key): "has two signatures of \(key)"
    case .badRoleName(let path, let found):
      "is malformed: \(escaped(path)) delegates to \"\(escaped(found))\", which is taken"
    case .badForm(let path, let expected): "is malformed: \(escaped(path)) must have \(expected)"
    case .tooFewSignatures(let count): "is signed by too few: \(count.text)"
    case .wrongVersion(let found, let expected): "has version \(found), not \(expected)"
    case .rollback(let found, let trusted): "rollback, version \(found) < \(trusted)"
    case .listedRollback(let role, let found, let trusted):
      "lists a rollback of \(role), version \(found) < \(trusted)"
    case .vanished(let role): "no longer lists \(role)"
    case .unlisted: "is not listed in the snapshot"
    case .expired(let time, let now): "expired on \(time), and it is \(now)"
    case .wrongLength(let found, let expected): "has \(found) bytes, not \(expected)"
    case .wrongDigest(let algorithm): "has another \(algorithm) digest than is listed"
    case .noKnownDigest: "is listed with no digest of a known kind"
    case .listedTooLong(let length, let limit): "is listed with \(length) bytes, over \(limit)"
    case .tooManyRoles(let limit): "is past the limit of \(limit) delegated roles in one search"
    case .unsafePath: "has a segment . or .., which no URL keeps"
    case .absent: "was not found"
    case .tooLong(let limit): "is longer than \(limit) bytes"
    }
  }
}

extension SignatureCount {
  /// The count in words, with what stands against the keys that do not count.
  package var text: String {
    let reasons = ignored.prefix(8).map { "\($0.id.shortText) \($0.reason.text)" }
    let summary = "\(counted.count) of \(threshold) needed"
    return reasons.isEmpty ? summary : "\(summary) (\(reasons.joined(separator: ", ")))"
  }
}

extension KeyID {
  /// The first digits, enough to find the key by.
  package var shortText: String {
    text.utf8.count > 16 ? escaped(String(text.unicodeScalars.prefix(12))) + "…" : description
  }
}

extension SignatureCount.Ignored.Reason {
  package var text: String {
    switch self {
    case .unlisted: "is no listed key"
    case .faulty(let fault): fault.text
    case .unsigned: "has not signed"
    case .wrongSignature: "has a signature that does not verify"
    case .sameKey(let other): "is the same key as \(other.shortText)"
    }
  }
}

extension KeyFault {
  package var text: String {
    switch self {
    case .wrongID(let expected): "has a wrong key id (it is \(expected.shortText))"
    case .incomplete: "is incomplete"
    case .unknownKind(let type, let scheme):
      "is of an unknown kind (\(escaped(type)), \(escaped(scheme)))"
    case .malformed(let error): "is malformed (\(error))"
    }
  }
}
