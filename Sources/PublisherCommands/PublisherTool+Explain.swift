import CommandErrors
package import CommandLineKit
import Publishing

extension PublisherTool {
  /// Puts any error of `sealift-publish` into words, with the exit code that scripts act on.
  @Sendable package static func explain(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as PublishingError: Diagnostic(error)
    default: Diagnostic(common: error, for: .publisher)
    }
  }
}
