package import CommandLineKit
import Digests
import Manifests
import Signatures
import StrictJSON
import SystemFiles
import Trust

extension Diagnostic {
  /// Puts an error that both tools meet into words, with the exit code that scripts act on.
  ///
  /// A tool explains the errors of its own work first. An error that nobody knows is a mistake in the program, with
  /// exit code 1.
  package init(common error: any Error, for audience: Audience) {
    switch error {
    case let error as Diagnostic: self = error
    case let error as UsageError: self = error.diagnostic()
    case let error as ManifestError: self.init(error)
    case let error as KeyError: self.init(error)
    case let error as SignerError: self.init(error)
    case let error as TrustError: self.init(error, for: audience)
    case let error as RepositoryError: self.init(error)
    case let error as MetadataRefusal: self.init(error)
    case let error as DigestError: self.init(error)
    case let error as SystemError: self.init(error)
    case let error as JSONSyntaxError:
      self.init(.usage, kind: .configuration, "the configuration is not JSON: \(error)")
    case let error as JSONShapeError:
      self.init(.usage, kind: .configuration, "the configuration is malformed: \(error)")
    case is CancellationError: self.init(.interrupted, "interrupted")
    default:
      self.init(
        .internalError,
        "unexpected: \(error)",
        helps: ["this is a mistake in the program; please report it"]
      )
    }
  }

  /// The same diagnostic with the place that it is about in front.
  package func about(_ place: String) -> Diagnostic {
    Diagnostic(exitCode, kind: kind, "\(place): \(message)", notes: notes, helps: helps)
  }
}
