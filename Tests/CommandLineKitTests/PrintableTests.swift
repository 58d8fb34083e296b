import CommandLineKit
import Testing

@Suite struct PrintableTests {
  @Test(arguments: [
    ("plain text", "plain text"),
    ("", ""),
    ("a\nb\tc", "a\\u{a}b\\u{9}c"),
    ("a\r\nb", "a\\u{d}\\u{a}b"),
    ("\u{1B}[31mred", "\\u{1b}[31mred"),
    ("\u{7F}\u{85}\u{9B}", "\\u{7f}\\u{85}\\u{9b}"),
    ("\u{0}", "\\u{0}"),
    ("user\u{202E}fdp.exe", "user\\u{202e}fdp.exe"),
    ("\u{2066}\u{2069}\u{200B}\u{200F}\u{FEFF}", "\\u{2066}\\u{2069}\\u{200b}\\u{200f}\\u{feff}"),
    ("\u{AD}\u{61C}\u{2028}\u{2029}\u{3164}", "\\u{ad}\\u{61c}\\u{2028}\\u{2029}\\u{3164}"),
    ("\u{E0041}\u{FE0F}\u{10FFFF}", "\\u{e0041}\\u{fe0f}\\u{10ffff}"),
  ])
  func `what a terminal would obey or hide is spelled out`(text: String, expected: String) {
    #expect(printable(text) == expected)
  }

  @Test(arguments: ["é", "e\u{301}", "日本", "naïve 😀", "a\\b"])
  func `visible text stays byte for byte`(text: String) {
    #expect(printable(text).utf8.elementsEqual(text.utf8))
  }
}
