import Manifests

/// Why something did not work, for programs and for people.
public struct ModelFailure: Error, Hashable, Sendable {
  /// What it was, for programs.
  public enum Reason: Hashable, Sendable {
    // The network and the mirrors.

    /// This machine has no network.
    case offline
    /// No mirror served the file; it may be there later.
    case mirrorsUnreachable
    /// Every mirror asks for credentials, or refuses those that it gets.
    case accessRefused
    /// No mirror has the file.
    case fileNotFound
    /// Every mirror that answered has other bytes than the signed ones.
    case wrongFile

    // Trust and fitness.

    /// The manifest is not signed by those who may sign it, has ended, or is not the one that was signed.
    case notTrusted
    /// The release was withdrawn.
    case withdrawn
    /// The version is older than one that was active before.
    case olderVersion
    /// The runtime is too old for the model; the text says what it needs.
    case runtimeTooOld(needs: String)
    /// The runtime does not suit the model, or its version was not stated; the text says what it needs.
    case runtimeUnsuitable(needs: String)
    /// Loading the model can run code that is in it, which the settings do not allow.
    case runsCode
    /// What was signed cannot be used.
    case unusableRelease

    // This machine.

    /// There is not enough space on disk.
    case notEnoughSpace(missingBytes: Int)
    /// Files on this machine are not those that were verified.
    case damaged
    /// A call of the operating system failed.
    case localFailure
    /// The store cannot be used as it is.
    case storeUnusable

    // What was asked for.

    /// No version of the model is here.
    case noSuchModel
    /// This version is not here.
    case noSuchVersion
    /// No version is active.
    case nothingActive
    /// No version was active before.
    case noPreviousVersion
    /// The version failed before and is marked bad.
    case markedBad
    /// Another process is at work on the model.
    case busy
    /// An earlier install ended before its end.
    case interrupted
    /// The application cancelled the install.
    case cancelled
    /// A name, version or setting that the application gave is not valid.
    case invalidConfiguration
  }

  /// What it was, for programs.
  public let reason: Reason
  /// What happened, in one sentence that can be shown to people.
  public let message: String
  /// What a person can do about it, in one sentence.
  public let advice: String
  /// Whether the same may work at another time without anything being changed.
  public let canRetry: Bool
  /// More facts for a log, one a line: never a query, a token, or a path of the user's.
  public let details: [String]

  init(
    _ reason: Reason,
    _ message: String,
    advice: String,
    canRetry: Bool = false,
    details: [String] = []
  ) {
    (self.reason, self.message, self.advice) = (reason, message, advice)
    (self.canRetry, self.details) = (canRetry, details)
  }

  /// A mistake of the application.
  init(configuration message: String, details: [String] = []) {
    self.init(
      .invalidConfiguration,
      message,
      advice: "Update the application, or tell those who make it.",
      details: details
    )
  }
}

extension ModelFailure: CustomStringConvertible {
  /// The sentence for people.
  public var description: String { message }
}

/// A count of bytes for people: `1.2 GB`.
func sizeText(_ bytes: Int) -> String {
  let units = ["kB", "MB", "GB", "TB"]
  guard bytes >= 1000 else { return "\(bytes) bytes" }
  var (tenths, unit) = ((bytes + 99) / 100, 0)
  while tenths >= 10_000, unit < units.count - 1 {
    tenths = (tenths + 999) / 1000
    unit += 1
  }
  return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}
