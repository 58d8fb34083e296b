import CommandLineKit
import Testing

/// Warnings that repeat.
@Suite struct FoldingTests {
  private let odd = (1...5).map { Diagnostic(.findings, kind: .extra, "file \($0)") }
  private let one = Diagnostic(.findings, kind: .missing, "another")

  @Test func `of many warnings of one kind the first are shown and the rest is counted`() {
    let captured = CapturedConsole()
    captured.console.warn(odd + [one])
    #expect(
      captured.errors.text == """
        warning: file 1
        warning: file 2
        warning: file 3
          note: and 2 more like this; --verbose shows all
        warning: another

        """
    )
  }

  @Test func `as many as are shown are not folded`() {
    let captured = CapturedConsole()
    captured.console.warn(Array(odd.prefix(3)))
    #expect(captured.errors.text == "warning: file 1\nwarning: file 2\nwarning: file 3\n")
  }

  @Test func `a verbose run shows all`() {
    let captured = CapturedConsole { $0.verbosity = .verbose }
    captured.console.warn(odd)
    #expect(captured.errors.lines == (1...5).map { "warning: file \($0)" })
  }

  @Test func `JSON has every warning as it is`() {
    let captured = CapturedConsole { $0.isJSON = true }
    captured.console.warn(odd)
    #expect(
      captured.output.lines
        == (1...5).map {
          #"{"event":"warning","class":"findings","kind":"extra","message":"file \#($0)","#
            + #""notes":[],"helps":[]}"#
        }
    )
  }

  @Test func `in a long run the rest is told once, by subject`() {
    var fold = WarningFold(showsAll: false)
    let shown = ["a", "b", "a", "a", "a", "a"].map { fold.shows($0) }
    #expect(shown == [true, true, true, true, false, false])
    #expect(fold.takeRest() == ["a: 2 more faults like this"])
    #expect(fold.takeRest().isEmpty)
    let isShownAgain = ["a", "a", "a", "a"].map { fold.shows($0) }
    #expect(isShownAgain == [true, true, true, false])
    #expect(fold.takeRest() == ["a: 1 more fault like this"])
  }

  @Test func `of what was shown in full there is no rest`() {
    var fold = WarningFold(showsAll: true)
    let shown = (1...5).map { _ in fold.shows("a") }
    #expect(shown == [true, true, true, true, true])
    #expect(fold.takeRest().isEmpty)
  }
}
