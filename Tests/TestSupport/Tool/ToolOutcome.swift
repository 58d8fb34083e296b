/// What a child process left when it ended.
package struct ToolOutcome: Hashable, Sendable {
  package enum Ending: Hashable, Sendable {
    case exited(Int)
    /// Ended by this signal, such as 9.
    case signalled(Int)
    /// Killed because its time was over.
    case timedOut
  }

  package let ending: Ending
  package let standardOutput: [UInt8]
  package let standardError: [UInt8]
  /// The most memory it ever had resident, in bytes.
  ///
  /// Exact where it exceeds what the tests themselves hold: a child's record begins with its parent's. Below
  /// that it is the highest value seen by looking every few milliseconds.
  package let peakMemory: Int
  /// The processor time of the child and of the children it waited for, user and system together.
  package let processorSeconds: Double
  package let wallSeconds: Double

  /// The exit code; nil if it was killed.
  package var exitCode: Int? {
    if case .exited(let code) = ending { code } else { nil }
  }

  /// The standard output as text, bytes that are not UTF-8 repaired.
  package var output: String { String(decoding: standardOutput, as: UTF8.self) }

  /// The standard error as text, bytes that are not UTF-8 repaired.
  package var errors: String { String(decoding: standardError, as: UTF8.self) }
}
