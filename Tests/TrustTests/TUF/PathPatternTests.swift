import Testing
import Trust

/// 4.5: which paths a delegation is about.
struct PathPatternTests {
  @Test(arguments: [
    ("a", "a"), ("*", "a"), ("*", ".a"), ("a/*", "a/b"), ("a/*", "a/"), ("*/*", "a/b"),
    ("releases/*/x", "releases/1/x"), ("*.tgz", "foo.tgz"), ("foo-?.tgz", "foo-1.tgz"),
    ("?", "\u{E9}"), ("?", "\u{1F600}"), ("a*b*c", "aXbYc"), ("a*b*c", "abc"), ("**", "a"),
    ("*a*a*", "bab-cac"), ("[ab]", "[ab]"), ("", ""), ("*b", "abab"), ("a**", "a"), ("?*", "ab"),
    ("caf\u{E9}/*", "caf\u{E9}/x"),
  ])
  func `a pattern is about a path`(pattern: String, text: String) throws {
    // There is no empty path, but an empty segment: this stands for it.
    #expect(PathPattern("x/" + pattern).matches(path("x/" + text)))
  }

  @Test(arguments: [
    ("a", "b"), ("a", "A"), ("*.md", "README.MD"), ("*.md", "a/b.md"), ("*", "a/b"),
    ("releases/*", "releases/a/b"), ("releases/*", "releases"), ("releases", "releases/a"),
    ("?", ""), ("?", "ab"), ("?", "/"), ("[ab]", "a"), ("[!a]", "b"), ("a*", "ba"), ("*a", "ab"),
    ("caf\u{E9}", "cafe\u{301}"), ("?", "e\u{301}"), ("{a,b}", "a"), ("\\*", "*"), ("a?c", "a/c"),
    ("*/b", "a//b"), ("a/", "a"), ("a*b", "a/b"),
  ])
  func `a pattern is not about a path`(pattern: String, text: String) throws {
    #expect(!PathPattern("x/" + pattern).matches(path("x/" + text)))
  }

  @Test(.timeLimit(.minutes(1))) func `no pattern takes long`() {
    let pattern = PathPattern(String(repeating: "a*", count: 2_000) + "b")
    #expect(!pattern.matches(path(String(repeating: "a", count: 4_000))))
  }
}
