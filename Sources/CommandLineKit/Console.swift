package import StrictJSON
import Synchronization

/// The one place that writes: results to standard output, everything else to standard error.
///
/// In text mode results are lines of text. With `--json` standard output carries one JSON object a line, ending in a
/// summary, and text results are dropped; warnings and errors then appear twice, as an event and as text on standard
/// error. A progress line on the terminal is taken away before anything is written and put back after.
///
/// Text is escaped with ``printable(_:)`` except where a method says otherwise. When the reader of a pipe goes
/// away, later output is dropped and the work goes on: the exit code is the command's own. Any other failure to write
/// results is kept in ``outputFailure``, and the tool ends with exit code 8. In both cases standard error says what
/// was done: see ``wrote(_:)``.
package final class Console: Sendable {
  /// What is written, and how much of it.
  package struct Style: Equatable, Sendable {
    package var isJSON = false
    package var verbosity = Verbosity.normal
    /// Whether warnings and errors are coloured.
    package var hasColor = false
    package var progress = ProgressStyle.silent
    /// The command that explains kinds, such as `sealift explain`, and those that it knows.
    package var explainer = ""
    package var explainedKinds: Set<DiagnosticKind> = []

    package init() {}
  }

  private struct State {
    var isOutputClosed = false
    var outputFailure: CInt?
    var written: [String] = []
    var summary = JSONObject()
    var progressLine = ""
    var allowsProgress = true
  }

  package let style: Style
  private let output: any OutputSink
  private let errors: any OutputSink
  private let state = Mutex(State())

  package init(style: Style, output: any OutputSink, errors: any OutputSink) {
    self.style = style
    self.output = output
    self.errors = errors
  }

  /// The `errno` of the first failure to write results; a closed pipe is none.
  package var outputFailure: CInt? { state.withLock { $0.outputFailure } }

  /// Whether results were dropped because nobody reads them any more.
  var isOutputClosed: Bool { state.withLock { $0.isOutputClosed } }

  /// Notes that the file at `path` was written, which is told should the results get lost.
  package func wrote(_ path: String) { state.withLock { $0.written.append(path) } }

  /// What was written, a line each, the first of many.
  var writtenLines: [String] {
    let paths = state.withLock { $0.written }
    let rest = paths.count - 16
    return paths.prefix(16).map { "\($0) was written" } + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

// MARK: Results

extension Console {
  /// Prints a line of the result.
  package func print(_ line: String) {
    printVerbatim(Array("\(printable(line))\n".utf8))
  }

  /// Prints a table of the result.
  package func print(_ table: TextTable) {
    printVerbatim(Array(table.lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Prints bytes as they are: a document, or a path that another program reads.
  package func printVerbatim(_ bytes: [UInt8]) {
    guard !style.isJSON else { return }
    state.withLock { send(bytes, &$0) }
  }

  /// Prints an event with its name as the first member, `event`; in text mode nothing happens.
  package func event(_ name: String, _ members: JSONObject = [:]) {
    guard style.isJSON else { return }
    state.withLock { send(line(name, members), &$0) }
  }

  /// Adds members to the summary, the last line of JSON output; a later value of a name replaces an earlier one.
  package func summarize(_ members: JSONObject) {
    state.withLock { state in
      for member in members.members { state.summary[member.name] = member.value }
    }
  }

  /// Prints the summary, in JSON mode only; the tool does this once, at its end.
  func finish(_ exitCode: ExitCode) {
    guard style.isJSON else { return }
    state.withLock { state in
      var members: JSONObject = [
        "exit": .integer(Int64(exitCode.rawValue)), "class": .string(exitCode.word),
      ]
      for member in state.summary.members where !members.contains(member.name) {
        members[member.name] = member.value
      }
      send(line("summary", members), &state)
    }
  }

  private func line(_ name: String, _ members: JSONObject) -> [UInt8] {
    var object: JSONObject = ["event": .string(name)]
    for member in members.members where !object.contains(member.name) {
      object[member.name] = member.value
    }
    let json = String(decoding: JSONWriter.compact(.object(object)), as: UTF8.self)
    return Array("\(printableJSON(json))\n".utf8)
  }

  private func send(_ bytes: [UInt8], _ state: inout State) {
    guard !state.isOutputClosed, state.outputFailure == nil else { return }
    eraseProgressLine(state)
    do { try output.write(bytes) } catch {
      switch error {
      case .closed: state.isOutputClosed = true
      case .failed(let code): state.outputFailure = code
      }
    }
    drawProgressLine(state)
  }
}

// MARK: Everything else

extension Console {
  /// Says what happens, unless the run is quiet.
  package func inform(_ line: String) {
    guard style.verbosity >= .normal else { return }
    say([printable(line)])
  }

  /// Shows a line that a program printed which works for this one, also in a quiet run.
  package func relay(_ line: String, from program: String) {
    say(["\(printable(program)): \(printable(line))"])
  }

  /// Says what only a verbose run shows.
  package func detail(_ line: String) {
    guard style.verbosity >= .verbose else { return }
    say([printable(line)])
  }

  /// Reports something that is wrong but does not end the run.
  package func warn(_ diagnostic: Diagnostic) { report(diagnostic, as: .warning) }

  /// Reports a warning, with a fact that is meant for people alone.
  func warn(_ diagnostic: Diagnostic, noting fact: String) {
    warnUnseen(diagnostic)
    say(diagnostic.noting(fact).lines(as: .warning, hasColor: style.hasColor))
  }

  /// Reports a warning in JSON alone, where a person has seen enough like it.
  package func warnUnseen(_ diagnostic: Diagnostic) {
    event(Severity.warning.rawValue, diagnostic.members(as: .warning))
  }

  /// Reports what ended the run, or one of several things that did.
  package func report(_ diagnostic: Diagnostic, as severity: Severity = .error) {
    event(severity.rawValue, diagnostic.members(as: severity))
    var told = diagnostic
    if severity == .error, let pointer = pointer(for: diagnostic) {
      told = Diagnostic(
        diagnostic.exitCode,
        kind: diagnostic.kind,
        diagnostic.message,
        notes: diagnostic.notes,
        helps: diagnostic.helps + [pointer]
      )
    }
    say(told.lines(as: severity, hasColor: style.hasColor))
  }

  /// Where to read on: for what says itself nothing of what to do, and in a verbose run.
  private func pointer(for diagnostic: Diagnostic) -> String? {
    let isOwnKind = diagnostic.kind != DiagnosticKind(diagnostic.exitCode)
    guard isOwnKind, style.explainedKinds.contains(diagnostic.kind),
      diagnostic.helps.isEmpty || style.verbosity >= .verbose
    else { return nil }
    return "\(style.explainer) \(diagnostic.kind.rawValue) says more"
  }

  /// Shows help on standard error, as it is.
  func sayVerbatim(_ text: String) {
    state.withLock { sendError(text, $0) }
  }

  private func say(_ lines: [String]) {
    state.withLock { sendError(lines.map { $0 + "\n" }.joined(), $0) }
  }

  // Nobody can be told when standard error fails, so nobody is.
  private func sendError(_ text: String, _ state: borrowing State) {
    let line = state.progressLine
    let isDrawn = state.allowsProgress && !line.isEmpty
    let parts = isDrawn ? [ProgressLine.erased, text, line] : [text]
    try? errors.write(Array(parts.joined().utf8))
  }
}

// MARK: Progress

extension Console {
  /// Shows `line` as the progress line of the terminal in place of the one before; an empty one takes it away.
  func showProgress(_ line: String) {
    state.withLock { state in
      guard state.allowsProgress, line != state.progressLine else { return }
      let erased = state.progressLine.isEmpty ? "" : ProgressLine.erased
      state.progressLine = line
      try? errors.write(Array((erased + line).utf8))
    }
  }

  /// Takes the progress line away for good, since the tool is about to end.
  package func endProgress() {
    showProgress("")
    state.withLock { $0.allowsProgress = false }
  }

  private func eraseProgressLine(_ state: borrowing State) {
    guard !state.progressLine.isEmpty else { return }
    try? errors.write(Array(ProgressLine.erased.utf8))
  }

  private func drawProgressLine(_ state: borrowing State) {
    guard !state.progressLine.isEmpty else { return }
    try? errors.write(Array(state.progressLine.utf8))
  }
}

extension Diagnostic {
  /// The members of the event that JSON output carries.
  func members(as severity: Severity) -> JSONObject {
    var members: JSONObject = [:]
    if severity == .error { members["exit"] = .integer(Int64(exitCode.rawValue)) }
    members["class"] = .string(exitCode.word)
    members["kind"] = .string(kind.rawValue)
    members["message"] = .string(message)
    members["notes"] = .array(notes.map { .string($0) })
    members["helps"] = .array(helps.map { .string($0) })
    return members
  }
}
