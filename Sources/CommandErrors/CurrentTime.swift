package import CommandLineKit
import Glibc
package import Manifests

extension Timestamp {
  /// The time by the system's clock; the one place where the tools read it.
  ///
  /// - Throws: A diagnostic with exit code 8 for a year that no date has.
  package static func current() throws(Diagnostic) -> Timestamp {
    guard let time = Timestamp(seconds: Int64(time(nil))) else {
      throw Diagnostic(
        .localFailure,
        kind: .badClock,
        "the clock of this machine shows a year that no date has",
        helps: ["set the clock"]
      )
    }
    return time
  }
}
