import Manifests
import Signatures
import StrictJSON
import Testing

struct ErrorTextTests {
  @Test(
    arguments: [
      (
        .text(TextProblem(.path, "../x", .startsWith(0x2E))),
        "path \"../x\": a part starts with \".\""
      ),
      (.release(.noFiles), "a release has at least one file"),
      (
        .payload(.shape(JSONShapeError(path: "predicate.model", problem: .missing))),
        "the manifest is unusable: predicate.model is missing"
      ),
      (
        .envelope(.syntax(JSONSyntaxError(offset: 3, problem: .trailingBytes))),
        "not a signed manifest: something follows the document at byte 3"
      ),
      (.payload(.unknownCritical("x\u{1B}[2J")), nil),
      (.signing(.tooManySignatures(limit: 64)), nil),
      (
        .signing(.notByAnyKey(number: 2, claimed: "\u{1B}x")),
        "signature 2, which names \\u{1b}x, is not one of this manifest by any key that was given"
      ),
      (
        .signing(.unnamed(number: 3)),
        "signature 3 is not one of Ed25519 under the fingerprint of a key"
      ),
      (.signing(.contradiction(Keys.first.fingerprint)), nil),
    ] as [(ManifestError, String?)]
  )
  func `an error is one sentence that is safe to print`(error: ManifestError, text: String?) {
    if let text { #expect(error.text == text) }
    #expect(!error.text.isEmpty)
    #expect(error.text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    #expect("\(error)" == error.text)
  }

  @Test(arguments: [
    ("plain é", "plain é"), ("\u{1B}[31m", "\\u{1b}[31m"), ("a\u{202E}b", "a\\u{202e}b"),
    ("back\\slash", "back\\\\slash"), ("\r\n", "\\u{d}\\u{a}"), ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"),
    ("\u{2028}", "\\u{2028}"), ("\u{200B}\u{FEFF}", "\\u{200b}\\u{feff}"),
  ])
  func `a text is escaped so that no terminal obeys it`(text: String, expected: String) {
    #expect(escaped(text) == expected)
  }

  @Test func `a long text is cut`() {
    #expect(escaped(String(repeating: "a", count: 500)).count == 201)
  }
}
