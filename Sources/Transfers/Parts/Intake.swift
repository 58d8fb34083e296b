import Digests
import SystemFiles

/// Takes the bytes of one file from whatever source sends them, and verifies them piece by piece.
protocol Intake: AnyObject {
  /// The unfinished piece, if its first bytes are at hand.
  var partial: FileSchedule.Partial? { get }
  /// Why the last `take` said to stop, if the cause lies on this machine.
  var localFailure: SystemError? { get }

  /// Bytes of `range` follow, from this source.
  func begin(_ range: Range<Int>, from source: Int)
  /// Takes the next bytes; false stops the request.
  func take(_ bytes: Span<UInt8>) -> Bool
  /// Brings what is at hand to disk as far as a later run can use it.
  func close()
}

/// What an intake finds.
enum IntakeEvent {
  /// The piece is right and written.
  case verified(piece: Int, Contributions)
  /// All bytes of the piece came and they are wrong.
  case rejected(piece: Int, digest: SHA256Digest, Contributions)
  /// Bytes are at hand that will be verified only with the whole file.
  case pending(Int)
  /// Bytes came that were there already, or were dropped.
  case wasted(Contributions)
}

/// How many bytes came from which source.
struct Contributions {
  /// The source nil is an earlier run.
  private(set) var bytes: [Int?: Int] = [:]

  /// The source of all the bytes; nil if they are of several, or of an earlier run.
  var onlySource: Int? { bytes.count == 1 ? bytes.keys.first.flatMap { $0 } : nil }

  mutating func add(_ count: Int, from source: Int?) { bytes[source, default: 0] += count }

  /// Returns what was added and starts anew.
  mutating func take() -> Contributions {
    defer { bytes = [:] }
    return self
  }
}
