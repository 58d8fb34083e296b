import CommandLineKit
import Testing

private enum NameError: Error { case tooLong }

@Suite struct ArgumentReaderTests {
  /// Reads `--name VALUE`, repeatable `--mirror VALUE`, the flag `--quiet` and any operands.
  private func read(_ arguments: [String]) throws(UsageError) -> [String] {
    var reader = ArgumentReader(arguments)
    let name = try reader.option("--name") { $0 }
    let mirrors = try reader.options("--mirror") { $0 }
    let isQuiet = try reader.flag("--quiet")
    let operands = try reader.operands("PATH") { $0 }
    try reader.finish()
    return [name.map { "name=\($0)" }].compactMap { $0 } + mirrors.map { "mirror=\($0)" }
      + (isQuiet ? ["quiet"] : []) + operands
  }

  @Test(
    arguments: [
      ([], []),
      (["a", "b"], ["a", "b"]),
      (["--name", "n", "a"], ["name=n", "a"]),
      (["a", "--name=n"], ["name=n", "a"]),
      (["--name=a=b"], ["name=a=b"]),
      (["--name=--quiet"], ["name=--quiet"]),
      (["--name", "-"], ["name=-"]),
      (["--name", "-5"], ["name=-5"]),
      (["--mirror", "1", "x", "--mirror=2"], ["mirror=1", "mirror=2", "x"]),
      (["--quiet", "--quiet"], ["quiet"]),
      (["-"], ["-"]),
      (["--"], []),
      (["--", "--name", "-x"], ["--name", "-x"]),
      (["a", "--", "--", "b"], ["a", "--", "b"]),
      (["a\r\nb"], ["a\r\nb"]),
      (["--name=\u{301}x"], ["name=\u{301}x"]),
      (["--name", "\u{301}"], ["name=\u{301}"]),
      (["--", "\u{2014}x"], ["\u{2014}x"]),
    ] as [([String], [String])]
  )
  func `options, flags and operands are told apart`(arguments: [String], expected: [String]) throws
  {
    let found = try read(arguments)
    #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test(
    arguments: [
      (["--name"], "--name needs a value", []),
      (["--name", "--"], "--name needs a value", []),
      (
        ["--name", "--quiet"], "--name needs a value",
        ["write --name=VALUE if the value starts with --"]
      ),
      (["--name="], "--name has an empty value", []),
      (["--name", ""], "--name has an empty value", []),
      (["--name", "a", "--name", "b"], "--name is given twice", []),
      (["--name=a", "--name=a"], "--name is given twice", []),
      (["--quiet=yes"], "--quiet takes no value", []),
      (["--quiet="], "--quiet takes no value", []),
      (["--mirro", "x"], "unknown option --mirro", ["did you mean --mirror?"]),
      (["--nmae=x"], "unknown option --nmae", ["did you mean --name?"]),
      (["-quiet"], "unknown option -quiet", ["did you mean --quiet?"]),
      (["--zebra"], "unknown option --zebra", []),
      (["-x"], "unknown option -x", []),
      (["--=x"], "\"--=x\" is an option without a name", []),
      (["---"], "unknown option ---", []),
      (["--\u{301}"], "unknown option --\u{301}", []),
      (["--name\u{301}=x"], "unknown option --name\u{301}", ["did you mean --name?"]),
      (["a", ""], "PATH is empty", []),
      (
        ["\u{2014}name"], "\"\u{2014}name\" starts with a dash that is not -",
        ["type the dash, or put -- before an operand that starts so"]
      ),
    ] as [([String], String, [String])]
  )
  func `a wrong command line is refused by name`(
    arguments: [String],
    message: String,
    helps: [String]
  ) {
    #expect(throws: UsageError(message, helps: helps)) { try read(arguments) }
  }

  @Test func `an operand too many is refused`() {
    #expect(throws: UsageError("unexpected argument \"b\\u{a}\"")) {
      var reader = ArgumentReader(["a", "b\n"])
      _ = try reader.operand("MODEL") { $0 }
      try reader.finish()
    }
  }

  @Test func `what is required is named when it is missing`() {
    var reader = ArgumentReader([])
    #expect(throws: UsageError("--model is missing")) {
      try reader.requiredOption("--model") { $0 }
    }
    #expect(throws: UsageError("MODEL is missing")) { try reader.operand("MODEL") { $0 } }
    #expect(throws: UsageError("PATH is missing")) {
      try reader.operands("PATH", atLeast: 1) { $0 }
    }
  }

  @Test func `an unknown option is named before an operand that it would shift`() {
    #expect(throws: UsageError("unknown option --what")) {
      var reader = ArgumentReader(["--what", "value", "model"])
      _ = try reader.operand("MODEL") { (_) throws(UsageError) -> String in
        throw UsageError("never reached")
      }
    }
  }

  @Test func `a parser's error names the option, the operand, and keeps its helps`() {
    var reader = ArgumentReader(["--jobs", "many", "x"])
    #expect(throws: UsageError("--jobs: \"many\" is not a whole number")) {
      try reader.option("--jobs") { try parseCount($0) }
    }
    #expect(throws: UsageError("MODEL: no", helps: ["yes"])) {
      try reader.operand("MODEL") { _ throws(UsageError) -> Int in
        throw UsageError("no", helps: ["yes"])
      }
    }
  }

  @Test func `an error of another module is put into words by the tool`() {
    var reader = ArgumentReader(["--model=x"]) { error in
      error is NameError ? Diagnostic(.usage, "the name is too long") : Diagnostic(.usage, "?")
    }
    #expect(throws: UsageError("--model: the name is too long")) {
      try reader.option("--model") { _ throws(NameError) -> Int in throw .tooLong }
    }
  }

  @Test func `an empty value is allowed where it means something`() throws {
    var reader = ArgumentReader(["--prefix="])
    #expect(try reader.option("--prefix", allowsEmpty: true) { $0 } == "")
  }

  @Test func `what follows two dashes is another program's command line`() throws {
    var reader = ArgumentReader(["model", "--", "llama-cli", "--help", "", "--"])
    #expect(try reader.operand("MODEL") { $0 } == "model")
    #expect(try reader.trailing("COMMAND") == ["llama-cli", "--help", "", "--"])
    try reader.finish()
  }

  @Test func `the reader remembers what it was asked for`() throws {
    var reader = ArgumentReader(["x"])
    _ = try reader.option("--name") { $0 }
    _ = try reader.flag("--quiet")
    _ = try reader.options("--mirror") { $0 }
    _ = try reader.operand("MODEL") { $0 }
    #expect(reader.askedOptions.map(\.name) == ["--name", "--quiet", "--mirror"])
    #expect(reader.askedOptions.map(\.takesValue) == [true, false, true])
    #expect(reader.askedOptions.map(\.isRepeatable) == [false, false, true])
    #expect(reader.askedOperands == ["MODEL"])
  }
}
