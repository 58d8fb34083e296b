import CommandErrors
package import CommandLineKit
import Publishing
import Transfers

extension PublisherTool {
  /// Puts any error of `sealift-publish` into words, with the exit code that scripts act on.
  @Sendable package static func explain(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as PublishingError: Diagnostic(error)
    case let error as FetchError: explain(error)
    default: Diagnostic(common: error, for: .publisher)
    }
  }

  /// Why mirrors were not asked; what they did wrong is no error but a finding.
  private static func explain(_ error: FetchError) -> Diagnostic {
    switch error.kind {
    case .local(let failure): Diagnostic(failure)
    case .cancelled: Diagnostic(.interrupted, "interrupted")
    default: Diagnostic(.network, "the network failed: \(error.label)")
    }
  }
}
