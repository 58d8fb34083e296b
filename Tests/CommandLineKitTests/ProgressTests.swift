import CommandLineKit
import Testing

@Suite struct ProgressLineTests {
  private let facts = ProgressFacts(
    label: "lfm2-2.6b 1.0.0",
    done: 703_650_917,
    total: 1_563_668_704,
    bytesPerSecond: 88_290_099
  )

  @Test(arguments: [
    (
      120,
      "lfm2-2.6b 1.0.0  [========>           ]   45%  671.1 MiB of 1.5 GiB  84.2 MiB/s  10 s left"
    ),
    (84, "lfm2-2.6b 1.0.0  [===>      ]   45%  671.1 MiB of 1.5 GiB  84.2 MiB/s  10 s left"),
    (72, "lfm2-2.6b 1.0.0   45%  671.1 MiB of 1.5 GiB  84.2 MiB/s  10 s left"),
    (60, "lfm2-2.6b 1.0.0   45%  671.1 MiB of 1.5 GiB  10 s left"),
    (48, "lfm2-2.6b 1.0.0   45%  671.1 MiB of 1.5 GiB"),
    (40, " 45%"), (3, ".."), (0, ""),
  ])
  func `a narrow terminal gets fewer parts and no line fills it`(width: Int, expected: String) {
    let line = ProgressLine.drawn(facts, width: width)
    #expect(line == expected)
    #expect(line.utf8.count < max(width, 1))
  }

  @Test(
    arguments: [
      (0, 10, "x  [                    ]    0%  0 B of 10 B"),
      (1, 10, "x  [=>                  ]   10%  1 B of 10 B"),
      (10, 10, "x  [====================]  100%  10 B of 10 B"),
      (11, 10, "x  [====================]  100%  11 B of 10 B"),
      (0, 0, "x  [====================]  100%  0 B of 0 B"),
      (5, nil, "x  5 B"),
    ] as [(Int, Int?, String)]
  )
  func `the bar is empty at the beginning and full at the end`(
    done: Int,
    total: Int?,
    expected: String
  ) {
    let facts = ProgressFacts(label: "x", done: done, total: total)
    #expect(ProgressLine.drawn(facts, width: 120) == expected)
  }

  @Test func `100 percent means done`() {
    #expect(ProgressFacts(label: "", done: 999_999, total: 1_000_000).percent == 99)
    #expect(ProgressFacts(label: "", done: .max - 1, total: .max).percent ?? 0 <= 100)
    #expect(ProgressFacts(label: "", done: -5, total: 10).percent == 0)
  }

  @Test func `a long or hostile label is escaped and shortened`() {
    var facts = facts
    facts.label = "\u{1B}]0;" + String(repeating: "x", count: 100)
    #expect(
      ProgressLine.drawn(facts, width: 72)
        == "\\u{1b}]0;xxxxxxxxxxxxxxxxxxxx...   45%  671.1 MiB of 1.5 GiB  10 s left"
    )
  }

  @Test func `the line of a log says the same without drawing`() {
    #expect(ProgressLine.logged(facts) == "lfm2-2.6b 1.0.0: 45% of 1.5 GiB, 84.2 MiB/s, 10 s left")
    #expect(ProgressLine.logged(ProgressFacts(label: "x", done: 5, total: nil)) == "x: 5 B")
  }
}

@Suite struct ProgressDisplayTests {
  private let clock = FixedClock()

  private func display(_ captured: CapturedConsole, total: Int? = 100) -> ProgressDisplay {
    ProgressDisplay(captured.console, label: "m", total: total, now: clock.now, width: { 120 })
  }

  @Test func `a terminal's line is drawn at most ten times a second and erased at the end`() {
    let captured = CapturedConsole { $0.progress = .terminal }
    let display = display(captured)
    for _ in 0..<50 {
      display.advance(by: 1)
      clock.advance(by: .milliseconds(10))
    }
    #expect(captured.errors.text.split(separator: "[K").count == 5)
    display.finish()
    display.finish()
    display.advance(by: 1)
    #expect(captured.errors.text.hasSuffix("\r\u{1B}[K"))
    #expect(!captured.errors.text.hasSuffix("\r\u{1B}[K\r\u{1B}[K"))
    #expect(captured.output.text == "")
  }

  @Test func `messages and results stand above the progress line`() {
    let captured = CapturedConsole { $0.progress = .terminal }
    let display = display(captured)
    display.update(done: 10)
    let line = "m  [=>                  ]   10%  10 B of 100 B"
    captured.console.inform("note")
    #expect(captured.errors.text == line + "\r\u{1B}[Knote\n" + line)
    captured.console.print("result")
    #expect(captured.errors.text == line + "\r\u{1B}[Knote\n" + line + "\r\u{1B}[K" + line)
  }

  @Test func `a log gets a line at each tenth, at most one a second`() {
    let captured = CapturedConsole { $0.progress = .log }
    let display = display(captured)
    for _ in 0..<100 {
      clock.advance(by: .milliseconds(200))
      display.advance(by: 1)
    }
    display.finish()
    #expect(captured.errors.lines.count == 10)
    #expect(captured.errors.lines.first == "m: 10% of 100 B, 5 B/s, 18 s left")
    #expect(captured.errors.lines.last == "m: 100% of 100 B, 5 B/s")
  }

  @Test func `a log of fast work gets the last line only`() {
    let captured = CapturedConsole { $0.progress = .log }
    let display = display(captured)
    for _ in 0..<100 {
      clock.advance(by: .milliseconds(5))
      display.advance(by: 1)
    }
    #expect(captured.errors.lines == ["m: 100% of 100 B, 200 B/s"])
  }

  @Test func `a log gets a line every 30 seconds while work stalls`() {
    let captured = CapturedConsole { $0.progress = .log }
    let display = display(captured)
    for _ in 0..<120 {
      clock.advance(by: .milliseconds(500))
      display.tick()
    }
    #expect(captured.errors.lines == ["m: 0% of 100 B, 0 B/s", "m: 0% of 100 B, 0 B/s"])
  }

  @Test func `JSON gets an event at most once a second, and one at the end`() {
    let captured = CapturedConsole {
      $0.isJSON = true
      $0.progress = .events
    }
    let display = display(captured)
    for _ in 0..<25 {
      display.advance(by: 1)
      clock.advance(by: .milliseconds(100))
    }
    display.finish()
    #expect(
      captured.output.lines == [
        #"{"event":"progress","label":"m","done":1,"total":100}"#,
        #"{"event":"progress","label":"m","done":11,"total":100,"bytesPerSecond":11}"#,
        #"{"event":"progress","label":"m","done":21,"total":100,"bytesPerSecond":10}"#,
        #"{"event":"progress","label":"m","done":25,"total":100,"bytesPerSecond":10}"#,
      ]
    )
    #expect(captured.errors.text == "")
  }

  @Test func `resumed work counts from where it was, but its rate does not`() {
    let captured = CapturedConsole { $0.progress = .log }
    let display = ProgressDisplay(
      captured.console,
      label: "m",
      done: 50,
      total: 100,
      now: clock.now,
      width: { 80 }
    )
    clock.advance(by: .seconds(1))
    display.advance(by: 10)
    #expect(captured.errors.lines == ["m: 60% of 100 B, 10 B/s, 4 s left"])
  }

  @Test func `silence is silence`() {
    let captured = CapturedConsole()
    let display = display(captured)
    display.advance(by: 50)
    display.finish()
    #expect(captured.errors.text == "" && captured.output.text == "")
  }

  @Test func `the display ends when the work throws`() async {
    let captured = CapturedConsole { $0.progress = .terminal }
    await #expect(throws: CancellationError.self) {
      try await withProgress(display(captured)) { display in
        display.advance(by: 1)
        throw CancellationError()
      }
    }
    #expect(captured.errors.text.hasSuffix("\r\u{1B}[K"))
  }
}
