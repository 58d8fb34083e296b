import Glibc

/// What a program answered to bytes on its standard input, and how it ended.
package struct ProgramExchange: Hashable, Sendable {
  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int)
    case signalled(Int)
    /// It was reaped by somebody else, who alone knows.
    case unknown
  }

  /// Why there is no answer.
  package enum Failure: Error, Equatable, Sendable {
    /// The program can't be started.
    case notStarted(SystemError)
    /// The program printed more than `limit` bytes, and was ended.
    case tooMuchOutput(limit: Int)
    /// The program printed more than `limit` bytes to its standard error, and was ended.
    case tooManyErrors(limit: Int)
    /// The task was cancelled, and the program was ended.
    case cancelled
  }

  /// What came from standard output, as it came.
  package let output: [UInt8]
  package let ending: Ending

  /// Runs a command to its end; the program is looked for as a shell would, and no shell is in between.
  ///
  /// Its standard input is a file without a name that holds `input`, so that it may also be opened once more, as
  /// `/dev/stdin`, by programs that want a plain file. It has the environment, the process group and so the terminal of
  /// this process, and as much time as it likes; whoever cancels the task ends it. What its own children print after its
  /// end is not waited for. Blocks the calling thread.
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - input: The bytes of its standard input.
  ///   - limit: The most bytes that it may print to its standard output.
  ///   - errorLimit: The most bytes that it may print to its standard error.
  ///   - report: Gets what it prints to its standard error, a line at a time, or the part of a line at which it pauses.
  /// - Throws: ``ProgramExchange/Failure``.
  package init(
    with command: [String],
    input: [UInt8],
    limit: Int,
    errorLimit: Int = 1 << 20,
    report: (String) -> Void
  ) throws(Failure) {
    var run: ProgramRun
    do throws(SystemError) {
      run = try ProgramRun(command, input: input)
    } catch {
      throw .notStarted(error)
    }
    var errors = LineSplitter()
    var errorCount = 0
    while !run.isOver {
      if Task.isCancelled {
        run.end()
        throw .cancelled
      }
      let new = run.readOn()
      errorCount += new?.count ?? 0
      errors.add(new, report)
      guard errorCount <= errorLimit else {
        run.end()
        throw .tooManyErrors(limit: errorLimit)
      }
      guard run.output.count <= limit else {
        run.end()
        throw .tooMuchOutput(limit: limit)
      }
    }
    errors.add(run.errors, report)
    errors.finish(report)
    guard run.output.count <= limit else { throw .tooMuchOutput(limit: limit) }
    (output, ending) = (run.output, run.ending)
  }
}

/// A program that runs, and what it has printed.
private struct ProgramRun {
  /// How long a look takes while nothing happens, in milliseconds.
  private static let pause: CInt = 50
  /// How long a program may take to end after it was asked to, in milliseconds.
  private static let grace = 2_000

  private let child: pid_t
  private var outputPipe = PipeEnds()
  private var errorPipe = PipeEnds()
  private(set) var output: [UInt8] = []
  /// What came to standard error since the last look.
  private(set) var errors: [UInt8] = []
  private(set) var ending = ProgramExchange.Ending.unknown

  init(_ command: [String], input: [UInt8]) throws(SystemError) {
    let file = try OpenFile(inMemory: input.span)
    var (outputPipe, errorPipe) = (PipeEnds(), PipeEnds())
    do throws(SystemError) {
      try outputPipe.open()
      try errorPipe.open()
      child = try spawn(
        command.first ?? "",
        Array(command.dropFirst()),
        environment: nil,
        isSearched: true,
        ChildStreams(input: file.descriptor, output: outputPipe.write, errors: errorPipe.write)
      )
    } catch {
      outputPipe.close()
      errorPipe.close()
      throw error
    }
    outputPipe.closeWrite()
    errorPipe.closeWrite()
    (self.outputPipe, self.errorPipe) = (outputPipe, errorPipe)
  }

  /// Whether the program has ended; then all that it printed has been read, and it is reaped.
  var isOver: Bool {
    mutating get {
      guard hasEnded(child) else { return false }
      errors = []
      // Its children may go on printing: what is there now is what it printed itself.
      for _ in 0..<64 where read(waiting: 0) == 0 { break }
      finish()
      return true
    }
  }

  /// Waits a moment for something to read; returns what came to standard error, nil if nothing came at all.
  mutating func readOn() -> [UInt8]? {
    errors = []
    return read(waiting: outputPipe.read < 0 ? 2 : Self.pause) == 0 ? nil : errors
  }

  /// Reads from each pipe once; returns how many had something to say.
  private mutating func read(waiting milliseconds: CInt) -> Int {
    var waits = [
      pollfd(fd: outputPipe.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorPipe.read, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&waits, 2, milliseconds) > 0 else { return 0 }
    if waits[0].revents != 0 { output += readOnce(&outputPipe) }
    if waits[1].revents != 0 { errors += readOnce(&errorPipe) }
    return waits.count { $0.revents != 0 }
  }

  /// Asks the program to end, and ends it where it does not.
  mutating func end() {
    // Once it is reaped, its number may be that of another program.
    if !hasEnded(child) { kill(child, SIGTERM) }
    var waited = 0
    while waited < Self.grace, !hasEnded(child) {
      usleep(10_000)
      waited += 10
    }
    if !hasEnded(child) { kill(child, SIGKILL) }
    finish()
  }

  private mutating func finish() {
    ending = reap()
    outputPipe.close()
    errorPipe.close()
  }

  private func reap() -> ProgramExchange.Ending {
    var status: CInt = 0
    var result: pid_t
    repeat { result = unsafe waitpid(child, &status, 0) } while result < 0 && errno == EINTR
    guard result == child else { return .unknown }
    let signal = Int(status & 0x7f)
    return signal == 0 ? .exited(Int(status >> 8) & 0xff) : .signalled(signal)
  }
}

/// Reads what a pipe has, at most 4 KiB; closes it at its end.
private func readOnce(_ pipe: inout PipeEnds) -> ArraySlice<UInt8> {
  var block = [UInt8](repeating: 0, count: 4_096)
  let count = unsafe block.withUnsafeMutableBytes { buffer in
    unsafe Glibc.read(pipe.read, buffer.baseAddress, buffer.count)
  }
  if count > 0 { return block[..<count] }
  if count == 0 || errno != EINTR { pipe.close() }
  return []
}

/// Cuts what arrives in pieces into lines, none of them longer than 4 KiB.
private struct LineSplitter {
  private static let limit = 4_096
  private var rest: [UInt8] = []

  /// Takes more bytes; nil says that nothing came, which ends a line: it may be a question.
  mutating func add(_ bytes: [UInt8]?, _ report: (String) -> Void) {
    guard let bytes else { return finish(report) }
    rest += bytes
    var start = 0
    while true {
      let window = rest[start...].prefix(Self.limit + 1)
      if let end = window.firstIndex(of: UInt8(ascii: "\n")) {
        report(String(decoding: window[..<end], as: UTF8.self))
        start = end + 1
      } else if window.count > Self.limit {
        report(String(decoding: window.dropLast(), as: UTF8.self))
        start += Self.limit
      } else {
        break
      }
    }
    rest.removeFirst(start)
  }

  /// Reports what is left.
  mutating func finish(_ report: (String) -> Void) {
    guard !rest.isEmpty else { return }
    report(String(decoding: rest, as: UTF8.self))
    rest = []
  }
}
