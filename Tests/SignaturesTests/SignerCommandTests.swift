import Signatures
import Testing

struct SignerCommandTests {
  @Test(arguments: [
    ("sign", ["sign"]), ("  sign \t -k  key.pem\n", ["sign", "-k", "key.pem"]),
    ("'my signer' ''", ["my signer", ""]), (#""a b"c'd e'"#, ["a bcd e"]),
    (#"a\ b \' \" \\"#, ["a b", "'", "\"", "\\"]), (#"'a\b'"#, [#"a\b"#]),
    (#""a\"b\\c\$d\x""#, [#"a"b\c$d\x"#]), (#"'$HOME|;&<>()`'"#, ["$HOME|;&<>()`"]),
    (#"\$HOME \| \;"#, ["$HOME", "|", ";"]), ("a#b *.pem ~/x {c}", ["a#b", "*.pem", "~/x", "{c}"]),
    ("é 'ü\u{301}'", ["é", "ü\u{301}"]),
  ])
  func `words are those of a shell`(text: String, words: [String]) throws {
    #expect(try SignerCommand(text).words == words)
  }

  @Test(arguments: [
    ("", CommandFault.empty), (" \n", .empty), ("'' a", .empty), ("a 'b", .openQuote("'")),
    ("a \"b", .openQuote("\"")), ("a \\", .backslashAtEnd), ("a | b", .forShell("|")),
    ("a; b", .forShell(";")), ("a && b", .forShell("&")), ("a < b", .forShell("<")),
    ("a > b", .forShell(">")), ("$SIGNER", .forShell("$")), ("a \"$B\"", .forShell("$")),
    ("a `b`", .forShell("`")), ("a \"`b`\"", .forShell("`")), ("(a)", .forShell("(")),
  ])
  func `what only a shell could do is refused`(text: String, fault: CommandFault) {
    #expect(throws: SignerError.badCommand(fault)) { try SignerCommand(text) }
  }
}
