package import Digests
package import StrictJSON

extension JSONNode where Failure == DocumentProblem {
  /// Reads a string into a type that keeps a rule, and names the place where it breaks.
  package func text<Value>(
    _ make: (String) throws(ManifestError) -> Value
  ) throws(DocumentProblem) -> Value {
    let text = try string()
    do {
      return try make(text)
    } catch {
      throw DocumentProblem(error, at: path)
    }
  }

  /// Reads a string that has one value only.
  package func expect(_ expected: String) throws(DocumentProblem) {
    let found = try string()
    guard found.utf8.elementsEqual(expected.utf8) else {
      throw .unexpected(path: path, expected: expected, found: found)
    }
  }

  /// Reads 64 digits of a SHA-256 digest.
  package func sha256() throws(DocumentProblem) -> SHA256Digest {
    try text { text throws(ManifestError) in
      guard let digest = SHA256Digest(hex: text) else {
        throw .text(.digest, text, .badForm(expected: "64 digits of 0-9 and a-f"))
      }
      return digest
    }
  }
}

extension DocumentProblem {
  /// Puts an error of a value into the document where it stands.
  package init(_ error: ManifestError, at path: String) {
    switch error {
    case .text(let problem): self = .text(path: path, problem)
    case .release(let problem): self = .release(problem)
    case .envelope(let problem), .payload(let problem), .report(let problem): self = problem
    case .signing: preconditionFailure("no value inside a document is signed on its own")
    }
  }
}
