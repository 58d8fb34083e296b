package import Digests
package import Manifests

/// A version of a model, and what an audit says of it.
package struct AuditedVersion: Hashable, Sendable {
  /// What the active record says of a version.
  package enum Role: String, CaseIterable, Hashable, Sendable {
    case active
    /// The way back.
    case previous
    /// Installed, and nothing more.
    case other
    /// It lies in no store.
    case folder
  }

  /// A key of the policy that signed the manifest.
  package struct Signer: Hashable, Sendable {
    package let fingerprint: String
    package let name: String
    /// Whether its signature counts at the time of judgement.
    package let counts: Bool

    package init(fingerprint: String, name: String, counts: Bool) {
      self.fingerprint = fingerprint
      self.name = name
      self.counts = counts
    }
  }

  package let version: Version
  /// The name of the folder in the store; nil outside of one.
  package let folder: String?
  package let role: Role
  /// The digest that names the manifest; nil where it cannot be read.
  package let manifest: SHA256Digest?
  /// Whether the policy accepts the manifest at the time of judgement.
  package let isTrusted: Bool
  /// The keys of the policy that signed, in the order of their fingerprints.
  package let signers: [Signer]
  package let released: Timestamp?
  /// When this client first accepted the manifest; nil where nothing says so.
  package let acceptedAt: Timestamp?
  /// What is said of the version as a whole: its manifest, its records, its runtime.
  package let findings: [AuditFinding]
  /// The files of the manifest in the order of their paths, then what is none of it.
  package let files: [AuditedFile]

  package init(
    version: Version,
    folder: String?,
    role: Role,
    manifest: SHA256Digest?,
    isTrusted: Bool,
    signers: [Signer] = [],
    released: Timestamp? = nil,
    acceptedAt: Timestamp? = nil,
    findings: [AuditFinding] = [],
    files: [AuditedFile] = []
  ) {
    self.version = version
    self.folder = folder
    self.role = role
    self.manifest = manifest
    self.isTrusted = isTrusted
    self.signers = signers
    self.released = released
    self.acceptedAt = acceptedAt
    self.findings = findings
    self.files = files
  }

  /// The findings about the version and about its files.
  package var allFindings: [AuditFinding] { findings + files.flatMap(\.findings) }

  /// The findings on one axis.
  package func findings(on axis: AuditAxis) -> [AuditFinding] {
    allFindings.filter { $0.axis == axis }
  }
}

/// A model, and what an audit says of it.
package struct AuditedModel: Hashable, Sendable {
  package let name: ModelName
  /// Grows with each change of the active version; nil without a record that can be read.
  package let generation: Int?
  /// What is said of the model as a whole: its record, its floor, its marks.
  package let findings: [AuditFinding]
  package let versions: [AuditedVersion]

  package init(
    name: ModelName,
    generation: Int?,
    findings: [AuditFinding] = [],
    versions: [AuditedVersion] = []
  ) {
    self.name = name
    self.generation = generation
    self.findings = findings
    self.versions = versions
  }
}
