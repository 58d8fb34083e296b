import Signatures
import Testing

struct SignerCommandTests {
  @Test(arguments: [
    ("sign", ["sign"]), ("  sign \t -k  key.pem\n", ["sign", "-k", "key.pem"]),
    ("'my signer' ''", ["my signer", ""]), (#""a b"c'd e'"#, ["a bcd e"]),
    (#"a\ b \' \" \\"#, ["a b", "'", "\"", "\\"]), (#"'a\b'"#, [#"a\b"#]),
    (#""a\"b\\c\$d\x""#, [#"a"b\c$d\x"#]), (#"'$HOME|;&<>()`'"#, ["$HOME|;&<>()`"]),
    (#"\$HOME \| \;"#, ["$HOME", "|", ";"]), ("a#b c~ d=~", ["a#b", "c~", "d=~"]),
    (#"'*'.pem \~/x "{c}?" ''# \[a\]"#, ["*.pem", "~/x", "{c}?", "#", "[a]"]),
    ("env A=b c", ["env", "A=b", "c"]), ("./A=b 'A'=b", ["./A=b", "A=b"]), ("'A'=b", ["A=b"]),
    (#"A\=b"#, ["A=b"]), ("1A=b", ["1A=b"]), ("=b", ["=b"]),
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
    ("a *.pem", .forShell("*")), ("a b?", .forShell("?")), ("a [b]", .forShell("[")),
    ("a b]", .forShell("]")), ("a x{b,c}", .forShell("{")), ("a }", .forShell("}")),
    ("~/sign", .forShell("~")), ("a ~", .forShell("~")), ("a # b", .forShell("#")),
    ("#a", .forShell("#")), ("A=b c", .assignment("A")), ("_a1=", .assignment("_a1")),
  ])
  func `what only a shell could do is refused`(text: String, fault: CommandFault) {
    #expect(throws: SignerError.badCommand(fault)) { try SignerCommand(text) }
  }
}
