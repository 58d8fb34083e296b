/// What a release is exported as.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// The list of digests, unsigned.
  case sha256sums
  // The list of digests with a signature for one tool.
  case minisign, signify, ssh, openssl
  case metalink, cyclonedx

  /// Whether a key is needed.
  package var isSigned: Bool {
    switch self {
    case .minisign, .signify, .ssh, .openssl: true
    case .sha256sums, .metalink, .cyclonedx: false
    }
  }
}
