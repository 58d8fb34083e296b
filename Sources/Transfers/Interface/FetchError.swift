package import SystemFiles

/// Why a fetch ended without all its files.
package struct FetchError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Every mirror that has the file has wrong bytes.
    case integrity
    /// No mirror served the file; another attempt may succeed.
    case network
    /// No name resolved, or there was no route to anywhere.
    case offline
    /// Every mirror asks for credentials or refuses these.
    case auth
    /// Every mirror answers what is no answer: pages, coded bodies, bad certificates, wrong ranges.
    case protocolViolation
    /// Every mirror says that it has no such file.
    case missing
    /// A call on this machine failed.
    case local(SystemError)
    case cancelled
  }

  package let kind: Kind
  /// The file that could not be had.
  package let label: String
  package let report: FetchReport

  package init(kind: Kind, label: String, report: FetchReport) {
    self.kind = kind
    self.label = label
    self.report = report
  }
}
