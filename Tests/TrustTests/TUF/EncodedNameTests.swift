import Testing
import Trust

/// Reference: names are never paths (6 of the specification says nothing of it).
struct EncodedNameTests {
  @Test(arguments: [
    ("root", "root.json", "1.root.json"),
    ("../d", "..%2Fd.json", "1...%2Fd.json"),
    ("#", "%23.json", "1.%23.json"),
    ("?", "%3F.json", "1.%3F.json"),
    ("/d", "%2Fd.json", "1.%2Fd.json"),
    ("..", "...json", "1....json"),
    (".", "..json", "1...json"),
    ("a%2Fb", "a%252Fb.json", "1.a%252Fb.json"),
    ("\u{E9}", "%C3%A9.json", "1.%C3%A9.json"),
    ("a-Z_0.~", "a-Z_0.~.json", "1.a-Z_0.~.json"),
    ("a\nb", "a%0Ab.json", "1.a%0Ab.json"),
  ])
  func `a role's name is encoded in file and URL`(name: String, file: String, request: String) {
    #expect(role(name).fileName == file)
    #expect(role(name).requestName(version: 1) == request)
    #expect(role(name).requestName(version: nil) == String(request.dropFirst(2)))
  }

  @Test func `a long name has a hash for a file name, and is whole in the URL`() {
    let name = String(repeating: "a", count: 201)
    let shown = role(name).fileName
    #expect(shown.hasPrefix("sha256-") && shown.utf8.count == 7 + 64 + 5)
    #expect(role(name).requestName(version: 2) == "2.\(name).json")
    #expect(role(String(name.dropLast())).fileName == name.dropLast() + ".json")
  }

  @Test(arguments: [
    ("Timestamp", "%54imestamp.json"), ("rOOT", "%72OOT.json"), ("SNAPSHOT", "%53NAPSHOT.json"),
    ("tARGETS", "%74ARGETS.json"), ("targets", "targets.json"), ("Targets2", "Targets2.json"),
    ("%54imestamp", "%2554imestamp.json"),
  ])
  func `no delegated role has a top-level one's file where case is ignored`(
    name: String,
    file: String
  ) {
    #expect(role(name).fileName == file)
  }

  @Test(arguments: ["sha256-", "SHA256-", "Sha256-"])
  func `no spelling passes for a hash where case is ignored`(prefix: String) {
    let digits = String(repeating: "A", count: 64)
    let posing = path(prefix + digits)
    #expect(posing.fileName.hasPrefix("sha256-"))
    #expect(posing.fileName.dropFirst(7).lowercased() != digits.lowercased())
  }

  @Test func `a role's name has at most 1,024 bytes`() {
    #expect(RoleName(String(repeating: "\u{E9}", count: 512)) != nil)
    #expect(RoleName(String(repeating: "\u{E9}", count: 512) + "a") == nil)
  }

  @Test func `no name passes for the hash of another one`() {
    let long = path(String(repeating: "a", count: 201))
    let posing = path(long.fileName)
    #expect(posing.fileName != long.fileName)
    #expect(posing.fileName.hasPrefix("sha256-"))
  }

  @Test(arguments: [
    ("a/b.json", "a%2Fb.json"), ("../escape", "%2E.%2Fescape"),
    ("a/../../escape", "a%2F..%2F..%2Fescape"), (".", "%2E"), ("..", "%2E."),
    ("a//b", "a%2F%2Fb"), ("%2E", "%252E"), (".hidden", "%2Ehidden"), ("\u{0}", "%00"),
  ])
  func `a target's file lies flat in its folder`(text: String, file: String) {
    #expect(path(text).fileName == file)
    #expect(!file.contains("/") && !file.hasPrefix("."))
  }

  @Test(arguments: [
    ("a/b.json", "a/HASH.b.json"), ("b", "HASH.b"), ("a//b", "a//HASH.b"), ("/a", "/HASH.a"),
    ("a b/\u{E9}#", "a%20b/HASH.%C3%A9%23"), ("..a/b..", "..a/HASH.b.."),
    ("%2e%2e/x", "%252e%252e/HASH.x"),
  ])
  func `each segment of a target's URL is encoded`(text: String, request: String) {
    #expect(path(text).requestPath(prefix: "HASH") == request)
    let plain = request.replacing("HASH.", with: "")
    #expect(path(text).requestPath(prefix: nil) == plain)
  }

  @Test(arguments: ["..", ".", "a/..", "../a", "a/./b", "/.."])
  func `a target whose path leads elsewhere has no URL`(text: String) {
    #expect(path(text).requestPath(prefix: nil) == nil)
    #expect(path(text).requestPath(prefix: "HASH") == nil)
  }

  @Test(arguments: [
    "policy.json", "manifests/acme+tiny/1.0.0-rc.1+b_c.json", "A", "0/1",
    String(repeating: "a", count: 200),
  ])
  func `a plain path may be published`(text: String) {
    #expect(TargetPath.isPublishable(text))
  }

  @Test(arguments: [
    "", "/a", "a/", "a//b", ".", "..", "a/..", ".a", "a/.b", "-a", "_a", "+a", "a b", "a%20",
    "\u{E9}",
    "a\\b", "a:b", "a~", "*", String(repeating: "a", count: 201),
  ])
  func `a path that clients might read differently is not published`(text: String) {
    #expect(!TargetPath.isPublishable(text))
  }

  @Test func `empty names are none`() {
    #expect(RoleName("") == nil)
    #expect(TargetPath("") == nil)
  }

  @Test func `names are equal only byte by byte`() {
    #expect(role("caf\u{E9}") != role("cafe\u{301}"))
    #expect(path("caf\u{E9}") != path("cafe\u{301}"))
    #expect(KeyID("\u{E9}") != KeyID("e\u{301}"))
    #expect(Set([path("caf\u{E9}"), path("cafe\u{301}"), path("caf\u{E9}")]).count == 2)
    #expect(path("a") < path("b") && role("a") < role("aa") && KeyID("0") < KeyID("1"))
  }

  @Test func `a name is shown without what moves the cursor`() {
    #expect(role("a\u{1B}[2J").description == "a\\u{1b}[2J")
    #expect(path("a\nb").description == "a\\u{a}b")
    #expect(KeyID("\u{202E}x").description == "\\u{202e}x")
  }

  @Test func `four roles stand at the top`() {
    #expect([RoleName.root, .timestamp, .snapshot, .targets].allSatisfy { $0.isTopLevel })
    #expect(!role("Root").isTopLevel && !role("mirrors").isTopLevel)
  }
}
