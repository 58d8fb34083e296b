import CommandLineKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct RunToolTests {
  @Test(arguments: [
    ["build", "x", "--model", "m", "--version", "1", "--store", "S", "--quiet"],
    ["--store", "S", "--quiet", "build", "x", "--model", "m", "--version", "1"],
    ["--store=S", "build", "--model=m", "--quiet", "--version=1", "--", "x"],
  ])
  func `global options stand before or after the command's words`(arguments: [String]) async {
    let output = CapturedOutput()
    let surroundings = Surroundings(arguments: arguments, output: output, errors: CapturedOutput())
    #expect(await runTool(sampleTable, in: surroundings, explain: explainSample) == .done)
    #expect(output.text == "1 1 S\n")
  }

  @Test func `a flag beats the environment and the environment beats the default`() async {
    let environment = ["SEALIFT_STORE": "E", "SEALIFT_JOBS": "7"]
    let preset = await SampleRun("build", "x", "--model=m", "--version=1", environment: environment)
    #expect(preset.output.text == "1 7 E\n")
    let given = await SampleRun(
      "build",
      "x",
      "--model=m",
      "--version=1",
      "--jobs=2",
      "--store=F",
      environment: environment
    )
    #expect(given.output.text == "1 2 F\n")
  }

  @Test(
    arguments: [
      ([:], "", ""),
      (["SEALIFT_COLOR": "always"], "\u{1B}[1;31m", "\u{1B}[0m"),
      (["SEALIFT_COLOR": "always", "NO_COLOR": "1"], "", ""),
      (["SEALIFT_COLOR": "always", "NO_COLOR": ""], "\u{1B}[1;31m", "\u{1B}[0m"),
    ] as [([String: String], String, String)]
  )
  func `NO_COLOR wins`(environment: [String: String], start: String, end: String) async {
    let run = await SampleRun("fail", "diagnostic", environment: environment)
    #expect(run.errors.text == "\(start)error:\(end) held\n")
  }

  @Test(
    arguments: [
      (
        ["fail", "usage"], ExitCode.usage,
        "error: too late\n  help: usage: sample fail WAY\n"
      ),
      (["fail", "diagnostic"], .busy, "error: held\n"),
      (["fail", "me"], .notAccepted, "error: refused me\n"),
      (
        ["fail", "cancel"], .interrupted,
        "error: interrupted\n  help: to go on, run the same command again\n"
      ),
      (
        ["build", "--modle", "x"], .usage,
        "error: --model is missing\n  help: did you mean --model instead of --modle?\n"
          + "  help: usage: sample build PATH... --model MODEL --version VERSION [options]\n"
      ),
      (
        ["key", "new", "a", "--dri=x"], .usage,
        "error: unknown option --dri\n  help: did you mean --dir?\n"
          + "  help: usage: sample key new NAME [options]\n"
      ),
      (
        ["key", "new", "a", "--qiet"], .usage,
        "error: unknown option --qiet\n  help: did you mean --quiet?\n"
          + "  help: usage: sample key new NAME [options]\n"
      ),
      (
        ["biuld"], .usage,
        "error: unknown command \"biuld\"\n  help: did you mean build?\n"
          + "  help: usage: sample COMMAND [options]\n"
      ),
      (
        ["key", "nwe"], .usage,
        "error: unknown command \"key nwe\"\n  help: did you mean key new?\n"
          + "  help: usage: sample COMMAND [options]\n"
      ),
      (
        ["key"], .usage,
        "error: key needs another word\n  help: choose one of: key new, key show\n"
          + "  help: usage: sample COMMAND [options]\n"
      ),
      (
        ["help", "zebra\u{1B}"], .usage,
        "error: unknown command \"zebra\\u{1b}\"\n  help: sample --help lists the commands\n"
          + "  help: usage: sample COMMAND [options]\n"
      ),
      (
        ["--versoin"], .usage,
        "error: unknown option --versoin\n  help: did you mean --version?\n"
          + "  help: usage: sample COMMAND [options]\n"
      ),
      (
        ["--quiet", "--verbose", "wait"], .usage,
        "error: quiet and verbose exclude each other\n  help: usage: sample COMMAND [options]\n"
      ),
      (
        ["--color", "purple", "wait"], .usage,
        "error: --color: \"purple\" is not auto, always or never\n"
          + "  help: usage: sample COMMAND [options]\n"
      ),
    ] as [([String], ExitCode, String)]
  )
  func `each failure has its exit code and its words`(
    arguments: [String],
    exitCode: ExitCode,
    text: String
  ) async {
    let errors = CapturedOutput()
    let output = CapturedOutput()
    let surroundings = Surroundings(arguments: arguments, output: output, errors: errors)
    #expect(await runTool(sampleTable, in: surroundings, explain: explainSample) == exitCode)
    #expect(errors.text == text)
    #expect(output.text == "")
  }

  @Test func `without a command the overview goes to standard error`() async {
    let run = await SampleRun()
    #expect(run.exitCode == .usage)
    #expect(run.output.text == "")
    #expect(run.errors.text.hasPrefix("sample: shows what the kit can do\n\nusage:"))
  }

  @Test func `the version is shown in front only`() async {
    #expect(await SampleRun("--version").output.text == "sample 1.2.3\n")
    #expect(
      await SampleRun("--json", "--version").output.lines.first
        == #"{"event":"help","text":"sample 1.2.3\u000a"}"#
    )
  }

  @Test func `JSON ends in a summary with the exit code and what the command adds`() async {
    let run = await SampleRun("key", "new", "a", "--json")
    #expect(run.output.lines == [#"{"event":"summary","exit":0,"class":"done","name":"a"}"#])
    let refused = await SampleRun("--json", "fail", "me")
    #expect(
      refused.output.lines == [
        #"{"event":"error","exit":6,"class":"notAccepted","kind":"policy","#
          + #""message":"refused me","notes":[],"helps":[]}"#,
        #"{"event":"summary","exit":6,"class":"notAccepted"}"#,
      ]
    )
  }

  @Test(arguments: [
    ["--json", "--color=x"], ["--json", "zebra"], ["--json"], ["build", "--json"],
  ])
  func `a wrong command line ends in a JSON summary too`(arguments: [String]) async {
    let output = CapturedOutput()
    let surroundings = Surroundings(arguments: arguments, output: output, errors: CapturedOutput())
    #expect(await runTool(sampleTable, in: surroundings, explain: explainSample) == .usage)
    #expect(output.lines.count == 2)
    #expect(output.lines.last == #"{"event":"summary","exit":2,"class":"usage"}"#)
  }

  @Test func `results that cannot be written are a failure`() async {
    let full = await SampleRun(
      "key",
      "new",
      "a",
      output: CapturedOutput(failing: .failed(code: 28))
    )
    #expect(full.exitCode == .localFailure)
    #expect(
      full.errors.text == "error: the results cannot be written to standard output\n"
        + "  note: No space left on device\n  note: the command itself is done\n"
    )
    let closed = await SampleRun("key", "new", "a", output: CapturedOutput(failing: .closed))
    #expect(closed.exitCode == .done)
    #expect(closed.errors.text == "")
  }

  @Test(arguments: [([], ""), (["--fail"], "  note: refused half\n")] as [([String], String)])
  func `an interruption cancels the command and says how to go on`(
    extra: [String],
    note: String
  ) async {
    let interruption = Interruption()
    let errors = CapturedOutput()
    let surroundings = Surroundings(
      arguments: ["wait"] + extra,
      output: CapturedOutput(),
      errors: errors,
      interruption: interruption
    )
    async let exitCode = runTool(sampleTable, in: surroundings, explain: explainSample)
    #expect(interruption.interrupt())
    #expect(!interruption.interrupt())
    #expect(await exitCode == .interrupted)
    #expect(
      errors.text == "stopping; interrupt again to end at once\nerror: interrupted\n\(note)"
        + "  help: to go on, run sample resume\n"
    )
  }

  @Test func `another program's arguments are left alone`() async {
    let run = await SampleRun("exec", "m", "--", "prog", "--help", "--json", "--store=x")
    #expect(run.output.text == "m prog --help --json --store=x\n")
  }
}
