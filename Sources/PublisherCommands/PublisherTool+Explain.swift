import CommandErrors
package import CommandLineKit
import Publishing
import Repositories
import Transfers

extension PublisherTool {
  /// Puts any error of `sealift-publish` into words, with the exit code that scripts act on.
  @Sendable package static func explain(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as PublishingError: Diagnostic(error)
    case let error as RepositoryProblem: Diagnostic(error)
    case let error as RepositoryFault: explain(error)
    case let error as FetchError: explain(error)
    case let error as ClockFault: Diagnostic(error)
    default: Diagnostic(common: error, for: .publisher)
    }
  }

  /// Why what is served could not be looked at.
  private static func explain(_ fault: RepositoryFault) -> Diagnostic {
    if case .unreachable(let file, let troubles) = fault, troubles.contains(where: isTooLong) {
      // Whoever asks again gets the same.
      return Diagnostic(
        .notAccepted,
        kind: .brokenRepository,
        "clients would refuse this repository: \(file) is longer than they take",
        notes: troubles.map { "\($0)" },
        helps: [
          "repo verify checks the folder of the publisher: copy it whole to where it is served"
        ]
      )
    }
    return Diagnostic(
      .network,
      kind: .unreachable,
      "\(fault)",
      notes: fault.troubles.map { "\($0)" },
      helps: ["check the URL, or try again later"]
    )
  }

  private static func isTooLong(_ trouble: MirrorTrouble) -> Bool {
    if case .fault(.tooLong) = trouble.cause { true } else { false }
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

extension Diagnostic {
  fileprivate init(_ fault: ClockFault) {
    let facts =
      switch fault {
      case .beforeProgram(let now, let earliest):
        ["the clock here says \(now)", "this program is not older than \(earliest)"]
      case .beforeRelease(let now, let released):
        ["the clock here says \(now)", "the release says \(released)"]
      }
    self.init(
      .localFailure,
      kind: .badClock,
      "the clock of this machine is wrong, or the release is of the future",
      notes: facts,
      helps: ["set the clock, or build with --released"]
    )
  }
}
