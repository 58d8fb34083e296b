import CommandLineKit
import Testing

@Suite struct DiagnosticTests {
  @Test func `the exit codes are those that scripts rely on`() {
    let codes = ExitCode.allCases.map { "\($0.rawValue) \($0.word)" }
    #expect(
      codes == [
        "0 done", "1 internalError", "2 usage", "3 notFound", "4 network", "5 wrongBytes",
        "6 notAccepted", "7 busy", "8 localFailure", "9 unusable", "10 findings",
        "130 interrupted",
      ]
    )
  }

  @Test func `an error shows what happened, the facts and what to do`() {
    let diagnostic = Diagnostic(
      .wrongBytes,
      "model.gguf differs from the manifest",
      notes: ["expected 384bc877", "found 00000000"],
      helps: ["run sealift repair lfm2-2.6b"]
    )
    #expect(
      diagnostic.lines() == [
        "error: model.gguf differs from the manifest",
        "  note: expected 384bc877",
        "  note: found 00000000",
        "  help: run sealift repair lfm2-2.6b",
      ]
    )
    #expect(diagnostic.lines(as: .warning)[0] == "warning: model.gguf differs from the manifest")
  }

  @Test func `text from outside cannot leave its line or colour it`() {
    let diagnostic = Diagnostic(.network, "bad\nerror: \u{1B}[2J", notes: ["\u{202E}x"])
    #expect(
      diagnostic.lines() == ["error: bad\\u{a}error: \\u{1b}[2J", "  note: \\u{202e}x"]
    )
  }

  @Test func `colour stands on the labels only`() {
    let lines = Diagnostic(.busy, "held", helps: ["wait"]).lines(hasColor: true)
    #expect(
      lines == ["\u{1B}[1;31merror:\u{1B}[0m held", "  \u{1B}[1mhelp:\u{1B}[0m wait"]
    )
  }

  @Test func `the kind is the exit code's word unless it says more`() {
    #expect(Diagnostic(.busy, "held").kind == .busy)
    #expect(Diagnostic(.localFailure, kind: .noSpace, "full").kind == .noSpace)
  }
}
