import CommandErrors
import CommandLineKit
import Manifests
import Trust

extension Console {
  /// Warns of a release that nobody installs, since its end has come.
  func warnIfExpired(_ release: Release) throws {
    if let fault = Diagnostic(expiryOf: release, at: try Timestamp.current()) { warn(fault) }
  }
}

extension Diagnostic {
  /// That nobody installs a release, since its end has come; nil while it has not.
  init?(expiryOf release: Release, at now: Timestamp) {
    guard let expires = release.details.expires, release.hasExpired(at: now) else { return nil }
    self.init(
      .notAccepted,
      kind: .expired,
      "the release expired at \(expires): nobody installs it",
      notes: ["the clock here says \(now)"],
      helps: ["build it with a later --expires, or with none"]
    )
  }
}
