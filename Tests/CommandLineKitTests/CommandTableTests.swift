import CommandLineKit
import Testing

@Suite struct CommandTableTests {
  @Test func `the sample tool has no problems`() {
    #expect(sampleTable.problems() == [])
  }

  @Test func `help that disagrees with what is read is found`() {
    let table = CommandTable(
      tool: "t",
      version: "1",
      summary: "s",
      sections: [CommandTable.Section("All", [Liar.self, Liar.self])]
    )
    #expect(
      table.problems().prefix(9) == [
        "lie stands twice in the table",
        "lie: --json cannot name an option of a command",
        "lie: \"t lie --bad\" is refused: unknown option --bad",
        "lie: operands [\"ONE\"] are read, [\"TWO\"] listed",
        "lie: \"t other\" calls another command",
        "lie: --json is listed but not read",
        "lie: --list VALUE is listed but not read",
        "lie: --quick is listed but not read",
        "lie: --list VALUE... is read but not listed",
      ]
    )
  }

  @Test func `the overview shows commands, global options and exit codes`() async {
    let run = await SampleRun("--help")
    #expect(run.exitCode == .done)
    #expect(
      run.output.text == """
        sample: shows what the kit can do

        usage: sample COMMAND [options]

        Keys:
          key new   makes a key pair
          key show  shows a public key

        Work:
          build     writes the manifest of a release
          wait      waits until it is interrupted
          fail      fails in the way that is asked for
          exec      runs a program with a model

        global options:
          --store DIR     keeps models in this directory
          --shared GROUP  shares the store with this group of users
          --lock KIND     keeps other processes out: kernel, or none
          --no-symlinks   keeps no link named current in the store
          --config DIR    keeps the trust policy and settings in this directory
          --json          prints one JSON object a line, the last one a summary
          --quiet         shows results, warnings and errors only
          --verbose       shows more of what happens
          --color WHEN    colours messages: auto, always or never
          --help          shows this page, or a command's
          --version       shows the version, when it stands before a command

        exit codes:
          0    done
          1    internal error
          2    the command line or a setting is wrong
          3    no such model, version or file
          4    every mirror failed; trying again may help
          5    a file's bytes differ from the manifest
          6    the manifest is not accepted: signature, signer, expiry, rollback or
               withdrawal
          7    another process holds the lock; trying again may help
          8    a local file could not be read or written, or the disk is full
          9    signed but unusable: malformed, wrong format, or no suitable runtime
          10   finished, with findings
          130  interrupted

        sample help COMMAND shows how a command is used

        """
    )
  }

  @Test(arguments: [
    ["help", "build"], ["build", "--help"], ["build", "x", "-h"], ["--help", "build"],
  ])
  func `the page of a command shows how it is used`(arguments: [String]) async {
    let output = CapturedOutput()
    let surroundings = Surroundings(
      arguments: arguments,
      output: output,
      errors: CapturedOutput()
    )
    #expect(await runTool(sampleTable, in: surroundings, explain: explainSample) == .done)
    #expect(
      output.text.hasPrefix(
        """
        sample build: writes the manifest of a release

        usage: sample build PATH... --model MODEL --version VERSION [options]

        operands:
          PATH  files, or one directory

        options:
          --model MODEL      the name of the model (required)
          --version VERSION  its version (required)
          --mirror TEMPLATE  where the files can be fetched; {sha256} and {name} stand
                             for a file's digest and name (repeatable)
          --jobs COUNT       how many files are read at once

        global options:
          --store DIR     keeps models in this directory

        """
      )
    )
    #expect(
      output.text.hasSuffix(
        """
        examples:
          sample build a.gguf --model a --version 1.0.0 > a.json
              seals one file
          sample build . --model 'x y' --version 1.0.0
              seals a folder

        """
      )
    )
  }

  @Test func `the page of a word lists the commands that start with it`() async {
    let expected = """
      commands:
        sample key new   makes a key pair
        sample key show  shows a public key

      """
    #expect(await SampleRun("help", "key").output.text == expected)
    #expect(await SampleRun("key", "--help").output.text == expected)
  }

  @Test func `usage lines follow from the options`() {
    #expect(sampleTable.usage(of: KeyNew.self) == "sample key new NAME [options]")
    #expect(sampleTable.usage(of: KeyShow.self) == "sample key show [FILE]")
    #expect(sampleTable.usage(of: Exec.self) == "sample exec MODEL -- COMMAND...")
  }
}

/// A command whose help is wrong in every way.
private struct Liar: Command {
  static let name = ["lie"]
  static let summary = "lies"
  static let help = CommandHelp(
    operands: [OperandHelp("TWO", "x")],
    options: [
      OptionHelp("--json", "x"), OptionHelp("--list", value: "X", "x"), OptionHelp("--quick", "x"),
    ],
    examples: [
      ExampleHelp("t lie --bad", "x"), ExampleHelp("t lie", "x"), ExampleHelp("t other", "x"),
    ]
  )

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    _ = try arguments.options("--list") { $0 }
    _ = try arguments.optionalOperand("ONE") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode { .done }
}
