import CommandErrors
import CommandLineKit
import Manifests

extension Console {
  /// Warns of a release that nobody installs, since its end has come.
  func warnIfExpired(_ release: Release) throws {
    guard let expires = release.details.expires, expires <= (try Timestamp.current()) else {
      return
    }
    warn(
      Diagnostic(
        .notAccepted,
        kind: .expired,
        "the release expired at \(expires): nobody installs it",
        helps: ["build it with a later --expires, or with none"]
      )
    )
  }
}
