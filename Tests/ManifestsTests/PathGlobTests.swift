import Manifests
import Testing

@Suite(.timeLimit(.minutes(1))) struct PathGlobTests {
  @Test(arguments: [
    ("*", "a", true), ("*", "a/b", false), ("**", "a/b", true), ("", "", true), ("", "a", false),
    (".git*", ".gitattributes", true), (".git*", "x/.gitattributes", false),
    ("**/.git*", "x/y/.gitignore", true), ("a?c", "abc", true), ("a?c", "a/c", false),
    ("a*c*e", "abcde", true), ("a*c*e", "abcd", false), ("*.txt", ".txt", true),
    ("x/**", "x/y/z", true), ("x/**", "x", false), ("a**b", "a/x/b", true), ("[a]", "[a]", true),
    ("ä*", "ärger", true), ("?", "ä", false),
  ])
  func `a pattern stands for what it does in a shell`(pattern: String, path: String, isMatch: Bool)
  {
    #expect(PathGlob(pattern).matches(path) == isMatch)
  }

  @Test func `no pattern takes long`() {
    let path = String(repeating: "a", count: 4000)
    #expect(!PathGlob(String(repeating: "*a", count: 60) + "b").matches(path))
  }
}
