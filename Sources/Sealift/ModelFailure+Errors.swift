import Installing
import Manifests
import ModelStore
import SystemFiles
import Transfers
import Trust

extension ModelFailure {
  /// What an error of the layers beneath says to people.
  init(_ error: any Error) {
    switch error {
    case let failure as ModelFailure: self = failure
    case is CancellationError: self = .cancelled
    case let error as FetchError: self.init(fetch: error)
    case let error as TrustError: self.init(trust: error)
    case let error as InstallError: self.init(install: error)
    case let error as StoreError: self.init(store: error)
    case let error as ModelStart.StuckTrial: self.init(stuck: error)
    case let error as SystemError: self.init(system: error)
    case let error as ManifestError:
      self.init(configuration: "A name or version is not valid.", details: [escaped(error.text)])
    default:
      self.init(
        .localFailure,
        "Something unexpected went wrong.",
        advice: "Try again; if it stays so, tell those who make the application.",
        canRetry: true
      )
    }
  }

  private init(stuck: ModelStart.StuckTrial) {
    let cause = ModelFailure(stuck.cause)
    self.init(
      .markedBad,
      "Version \(stuck.active.version) of the model failed its trial, and the one before it cannot return.",
      advice: "Install another version.",
      details: [cause.message] + cause.details
    )
  }

  static let cancelled = ModelFailure(
    .cancelled,
    "The download was stopped.",
    advice: "Start it again to go on from where it was.",
    canRetry: true
  )

  static let interrupted = ModelFailure(
    .interrupted,
    "The last download did not come to its end.",
    advice: "Start it again to go on from where it was.",
    canRetry: true
  )

  /// What a journal tells of the last try; one that tells nothing was interrupted.
  init(_ failure: Journal.Failure?) {
    switch failure {
    case nil: self = .interrupted
    case .network?: self.init(network: .mirrorsUnreachable, [])
    case .wrongBytes?: self.init(network: .wrongFile, [])
    case .unusable?: self = .unusableRelease([])
    case .noSpace?:
      self.init(
        .notEnoughSpace(missingBytes: 0),
        "There was not enough space on disk.",
        advice: "Free some space and try again.",
        canRetry: true
      )
    case .local?: self = .local([])
    }
  }

  static func local(_ details: [String]) -> ModelFailure {
    ModelFailure(
      .localFailure,
      "The files of the model could not be read or written on this machine.",
      advice: "Look at the disk and its permissions, and try again.",
      canRetry: true,
      details: details
    )
  }

  static func unusableRelease(_ details: [String]) -> ModelFailure {
    ModelFailure(
      .unusableRelease,
      "This version of the model cannot be used.",
      advice: "Wait for another version from its publisher.",
      details: details
    )
  }

  /// The paths of an error stay here; the call and the system's words do not tell who the user is.
  private init(system error: SystemError) {
    guard !error.isDiskFull else {
      self.init(Journal.Failure.noSpace)
      return
    }
    self = .local(["\(error.call): \(error.reason)"])
  }

  private init(fetch error: FetchError) {
    let details = Self.details(of: error)
    switch error.kind {
    case .cancelled: self = .cancelled
    case .local(let error): self.init(system: error)
    case .offline: self.init(network: .offline, details)
    case .integrity: self.init(network: .wrongFile, details)
    case .auth: self.init(network: .accessRefused, details)
    case .missing: self.init(network: .fileNotFound, details)
    case .network, .protocolViolation: self.init(network: .mirrorsUnreachable, details)
    }
  }

  private static func details(of error: FetchError) -> [String] {
    error.report.mirrors.map { mirror in
      let fault = mirror.lastFault.map { "\($0)" } ?? "served nothing wrong"
      return escaped("\(mirror.name): \(fault)")
    }
  }

  private init(network reason: Reason, _ details: [String]) {
    let (message, advice): (String, String) =
      switch reason {
      case .offline:
        ("This machine is offline.", "Connect it to the network and try again.")
      case .wrongFile:
        (
          "Every mirror has a wrong file; nothing of it was installed.",
          "Try again later, or use another mirror."
        )
      case .accessRefused:
        ("The mirrors refuse access to the model.", "Look at the tokens for the mirrors.")
      case .fileNotFound:
        ("No mirror has the model.", "Try again later, or use another mirror.")
      default:
        (
          "The mirrors of the model cannot be reached.",
          "Look at the network connection, and try again."
        )
      }
    self.init(
      reason,
      message,
      advice: advice,
      canRetry: reason != .accessRefused,
      details: details
    )
  }
}
