import CommandLineKit
import Glibc
import Manifests

extension Timestamp {
  /// The time by the system's clock; the one place where the publisher reads it.
  static func current() throws(Diagnostic) -> Timestamp {
    guard let time = Timestamp(seconds: Int64(time(nil))) else {
      throw Diagnostic(.localFailure, kind: "badClock", "the system's clock is out of range")
    }
    return time
  }
}
