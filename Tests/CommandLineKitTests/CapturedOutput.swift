import CommandLineKit
import Synchronization

/// An output that keeps what is written, and can be told to fail.
final class CapturedOutput: OutputSink {
  private let bytes = Mutex<[UInt8]>([])
  private let problem: OutputProblem?
  private let attempts = Atomic<Int>(0)

  init(failing problem: OutputProblem? = nil) { self.problem = problem }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }
  var attemptCount: Int { attempts.load(ordering: .relaxed) }

  func write(_ new: [UInt8]) throws(OutputProblem) {
    attempts.add(1, ordering: .relaxed)
    if let problem { throw problem }
    bytes.withLock { $0 += new }
  }
}

/// A console over two captured outputs.
struct CapturedConsole {
  let output: CapturedOutput
  let errors = CapturedOutput()
  let console: Console

  init(
    output: CapturedOutput = CapturedOutput(),
    _ adjust: (inout Console.Style) -> Void = { _ in }
  ) {
    var style = Console.Style()
    adjust(&style)
    self.output = output
    console = Console(style: style, output: output, errors: errors)
  }
}

/// A clock that stands still until it is told to go on.
final class FixedClock: Sendable {
  private let time = Mutex(Duration.zero)
  var now: @Sendable () -> Duration { { self.time.withLock { $0 } } }
  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
