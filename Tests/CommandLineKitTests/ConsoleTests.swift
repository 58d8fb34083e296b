import CommandLineKit
import StrictJSON
import Testing

@Suite struct ConsoleTests {
  private let diagnostic = Diagnostic(.network, "unreachable", notes: ["a\u{1B}"], helps: ["retry"])

  @Test func `results go to standard output and everything else to standard error`() {
    let captured = CapturedConsole()
    captured.console.print("result \u{1B}")
    captured.console.inform("doing")
    captured.console.detail("hidden")
    captured.console.warn(Diagnostic(.findings, "odd"))
    captured.console.event("progress")
    #expect(captured.output.text == "result \\u{1b}\n")
    #expect(captured.errors.text == "doing\nwarning: odd\n")
  }

  @Test(arguments: [
    (Verbosity.quiet, "error: e\n"), (.normal, "i\nerror: e\n"), (.verbose, "i\nd\nerror: e\n"),
  ])
  func `verbosity decides what is said besides results and errors`(
    verbosity: Verbosity,
    expected: String
  ) {
    let captured = CapturedConsole { $0.verbosity = verbosity }
    captured.console.print("r")
    captured.console.inform("i")
    captured.console.detail("d")
    captured.console.report(Diagnostic(.busy, "e"))
    #expect(captured.output.text == "r\n")
    #expect(captured.errors.text == expected)
  }

  @Test func `with JSON standard output carries events only, errors too`() {
    let captured = CapturedConsole { $0.isJSON = true }
    captured.console.print("dropped")
    captured.console.printVerbatim(Array("dropped".utf8))
    captured.console.event("file", ["name": "a\u{202E}\u{1F600}\u{9B}\n\"", "size": 7])
    captured.console.report(diagnostic)
    captured.console.warn(Diagnostic(.findings, kind: .mutableMirror, "moves"))
    #expect(
      captured.output.lines == [
        #"{"event":"file","name":"a\u202e😀\u009b\u000a\"","size":7}"#,
        #"{"event":"error","exit":4,"class":"network","kind":"network","message":"unreachable","#
          + #""notes":["a\u001b"],"helps":["retry"]}"#,
        #"{"event":"warning","class":"findings","kind":"mutableMirror","message":"moves","#
          + #""notes":[],"helps":[]}"#,
      ]
    )
    #expect(
      captured.errors.lines == [
        "error: unreachable", "  note: a\\u{1b}", "  help: retry", "warning: moves",
      ]
    )
  }

  @Test func `escaped events read back as the same values`() throws {
    let captured = CapturedConsole { $0.isJSON = true }
    let name = "\u{E0041}\u{202E}e\u{301}\u{FEFF}\u{7F}"
    captured.console.event("x", ["name": .string(name)])
    let value = try JSONReader.parse(Array(captured.output.lines[0].utf8))
    #expect(value == .object(["event": "x", "name": .string(name)]))
  }

  @Test func `a document is printed byte for byte`() {
    let captured = CapturedConsole()
    captured.console.printVerbatim(Array("/models/\u{301}\n".utf8))
    #expect(captured.output.text == "/models/\u{301}\n")
  }

  @Test func `a closed pipe drops the output and is no failure`() {
    let output = CapturedOutput(failing: .closed)
    let captured = CapturedConsole(output: output)
    captured.console.print("1")
    captured.console.print("2")
    #expect(output.attemptCount == 1)
    #expect(captured.console.outputFailure == nil)
  }

  @Test func `any other failure to write results is kept`() {
    let output = CapturedOutput(failing: .failed(code: 28))
    let captured = CapturedConsole(output: output)
    captured.console.print("1")
    captured.console.print("2")
    #expect(output.attemptCount == 1)
    #expect(captured.console.outputFailure == 28)
  }
}
