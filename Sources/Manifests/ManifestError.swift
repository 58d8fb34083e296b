package import Digests
package import Signatures
package import StrictJSON

/// Why something is no part of a manifest, or no manifest.
///
/// Each case carries facts; `text` puts them into one sentence without control characters, whatever
/// the document holds.
package enum ManifestError: Error, Equatable, Sendable {
  /// A text, from a command line or from a caller, breaks its rule.
  case text(TextProblem)
  /// Values that are valid one by one do not make a release.
  case release(ReleaseProblem)
  /// The bytes are no DSSE envelope; nothing in them was signed by anybody.
  case envelope(DocumentProblem)
  /// The payload is no manifest. If its signature was accepted, it is the publisher who has to act.
  case payload(DocumentProblem)
  /// The payload is no report of an audit.
  case report(DocumentProblem)
  /// A signature can't be added to an envelope.
  case signing(SigningProblem)

  static func text(_ kind: TextKind, _ text: String, _ fault: TextFault) -> ManifestError {
    .text(TextProblem(kind, text, fault))
  }
}

/// A text that breaks the rule of its kind.
package struct TextProblem: Error, Equatable, Sendable {
  package let kind: TextKind
  package let found: String
  package let fault: TextFault

  package init(_ kind: TextKind, _ found: String, _ fault: TextFault) {
    self.kind = kind
    self.found = found
    self.fault = fault
  }

  package static func == (one: TextProblem, other: TextProblem) -> Bool {
    one.kind == other.kind && one.fault == other.fault
      && one.found.utf8.elementsEqual(other.found.utf8)
  }
}

/// A signature that an envelope doesn't take.
package enum SigningProblem: Error, Equatable, Sendable {
  /// The key has signed the envelope before.
  case alreadySigned(Fingerprint)
  /// The signature is not one of this payload by this key.
  case doesNotVerify(Fingerprint)
  case tooManySignatures(limit: Int)
  /// The other envelope is around another payload, or calls it another type.
  case otherPayload(expected: SHA256Digest, found: SHA256Digest)
  /// The signature with this number, from 1 on, verifies with none of the keys; `claimed` is the name that it gives.
  case notByAnyKey(number: Int, claimed: String)
  /// The signature with this number, from 1 on, does not have 64 bytes, or names no key by a fingerprint.
  case unnamed(number: Int)
  /// Two different signatures carry the name of one key: one of them is not by it.
  case contradiction(Fingerprint)
}

/// A document that is no envelope, or no manifest.
package enum DocumentProblem: Error, Equatable, Sendable, JSONShapeFailure {
  /// The bytes are not JSON as signed documents may contain it.
  case syntax(JSONSyntaxError)
  /// A member is missing or of another kind.
  case shape(JSONShapeError)
  /// The text at `path` breaks its rule.
  case text(path: String, TextProblem)
  /// The text at `path` is not standard or URL-safe base64 with padding.
  case notBase64(path: String)
  /// The text at `path` is another one than this kind of document has.
  case unexpected(path: String, expected: String, found: String)
  /// What the manifest describes is no release.
  case release(ReleaseProblem)
  /// A file has no subject with its name.
  case subjectMissing(file: String)
  /// A subject has no file with its name.
  case subjectUnknown(name: String)
  /// Two subjects have one name.
  case subjectTwice(name: String)
  /// The subject and the file of one name have different digests.
  case subjectDiffers(file: String)
  /// The manifest says that a reader must understand a member that this one doesn't know.
  case unknownCritical(String)
  case tooManySignatures(limit: Int, found: Int)
}

/// Values that are valid one by one and make no release together.
package enum ReleaseProblem: Error, Equatable, Sendable {
  case noFiles
  case tooManyFiles(limit: Int, found: Int)
  /// Two paths, or a path and a folder, that some system takes for the same.
  case pathsCollide(String, String)
  /// A size that JSON readers with floating point can't keep, or a negative one.
  case badSize(file: RelativePath, size: Int)
  /// The files together are larger than 2^53 - 1 bytes.
  case tooLarge
  case badChunkLength(file: RelativePath, chunk: Int, length: Int)
  /// The chunks cover another count of bytes than the file has.
  case chunksDiffer(file: RelativePath, size: Int, covered: Int)
  case tooManyChunks(limit: Int)
  /// The manifest would be larger than an envelope may be.
  case manifestTooLarge(limit: Int)
}
