package import Manifests
package import StrictJSON

/// What is wrong with a file of metadata, or with what a server answers.
package enum MetadataProblem: Error, Equatable, Sendable, JSONShapeFailure {
  // The file.

  /// The bytes are not JSON as signed documents may contain it.
  case syntax(JSONSyntaxError)
  /// A member is missing, of another kind, or out of range.
  case shape(JSONShapeError)
  /// The text at `path` breaks its rule.
  case text(path: String, found: String, expected: String)
  /// Two signatures under one name (4.2.1).
  case repeatedSignature(KeyID)
  /// Two delegated roles of one name, or one that has the name of a top-level role.
  case badRoleName(path: String, found: String)
  /// A delegation has both or neither of two forms.
  case badForm(path: String, expected: String)

  // The rules.

  case tooFewSignatures(SignatureCount)
  case wrongVersion(found: Int, expected: Int)
  /// The file is older than the one that was trusted before.
  case rollback(found: Int, trusted: Int)
  /// The file lists an older version of another role's file than was trusted before.
  case listedRollback(RoleName, found: Int, trusted: Int)
  /// A role that was in the snapshot is in it no longer.
  case vanished(RoleName)
  /// The snapshot does not list the role.
  case unlisted
  case expired(Timestamp, now: Timestamp)
  case wrongLength(found: Int, expected: Int)
  case wrongDigest(algorithm: String)
  /// There are digests, and none of a kind that is known.
  case noKnownDigest
  /// The list gives the file more bytes than a client takes.
  case listedTooLong(Int, limit: Int)
  case tooManyRoles(limit: Int)
  /// The path would lead out of the base URL.
  case unsafePath

  // The answer.

  case absent
  case tooLong(limit: Int)
}

/// A file that is not trusted, with the section of the TUF specification 1.0.34 that says so.
package struct MetadataRefusal: Error, Equatable, Sendable {
  /// What a refusal is about, for those who act on it.
  package enum Kind: Hashable, Sendable {
    /// Too few of the right keys have signed.
    case signatures
    /// Something is older than what was seen before.
    case rollback
    case expired
    /// The bytes are not those that are named elsewhere: length, digest, version.
    case wrongBytes
    /// The file breaks its format.
    case malformed
    /// The server has no such file, or the snapshot does not list it.
    case missing
    /// More than a client takes.
    case limit
  }

  package let section: String
  package let role: RoleName
  /// The target that it is about, if it is about one.
  package let target: TargetPath?
  package let problem: MetadataProblem

  package init(
    section: String,
    role: RoleName,
    target: TargetPath? = nil,
    _ problem: MetadataProblem
  ) {
    (self.section, self.role, self.target, self.problem) = (section, role, target, problem)
  }

  package var kind: Kind {
    switch problem {
    case .tooFewSignatures: .signatures
    case .rollback, .listedRollback, .vanished: .rollback
    case .expired: .expired
    case .wrongVersion, .wrongLength, .wrongDigest, .noKnownDigest: .wrongBytes
    case .syntax, .shape, .text, .repeatedSignature, .badRoleName, .badForm, .unsafePath: .malformed
    case .unlisted, .absent: .missing
    case .listedTooLong, .tooManyRoles, .tooLong: .limit
    }
  }
}
