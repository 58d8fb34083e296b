import Testing
import Transfers

@Suite struct TransferURLTests {
  @Test func `an origin is scheme, host in lower case, and port`() throws {
    #expect(try TransferURL("https://CDN.Example.com/a").origin == "https://cdn.example.com:443")
    #expect(
      try TransferURL("http://cdn.example.com:8080/a").origin == "http://cdn.example.com:8080"
    )
  }

  @Test(arguments: [
    ("https://user:secret@cdn.example.com/a/b?token=1#x", "https://cdn.example.com/a/b"),
    ("https://cdn.example.com/{sha256}?sig=1", "https://cdn.example.com/{sha256}"),
    ("http://a@b@c/d", "http://c/d"), ("/local/path?x", "/local/path"),
    ("https://host/mail@example", "https://host/mail@example"),
  ])
  func `what is shown has no user, password, query or fragment`(text: String, shown: String) {
    #expect(redact(text) == shown)
  }

  @Test(arguments: [
    ("file:///models/a.gguf", "/models/a.gguf"), ("file://localhost/a%20b", "/a b"),
    ("FILE:///%C3%A9", "/é"),
  ])
  func `a file URL gives its path`(text: String, path: String) throws {
    #expect(try TransferURL(text).filePath == path)
  }

  @Test(arguments: [
    "", "models/a.gguf", "ftp://host/a", "gopher://host/a", "file://other/a", "file:a",
    "file:///a%0", "file:///a%2Fb", "file:///a/..%2f..%2Fb",
    "file:///a%00b", "file:///a%zz", "file:///a?b", "file:///%ff", "http://", "javascript:alert(1)",
    "http://host/a\u{0}b", "http://host:99999/",
  ])
  func `anything else is refused`(text: String) {
    #expect {
      try TransferURL(text)
    } throws: { error in
      if case MirrorFault.unusableURL = error { true } else { false }
    }
  }

  @Test(arguments: [
    ("/x", "https://a.example/x"), ("y", "https://a.example/dir/y"),
    ("//b.example/z", "https://b.example/z"), ("http://c.example", "http://c.example/"),
    ("https://user:pw@d.example/q?s=1", "https://d.example/q"),
    ("?only=query", "https://a.example/dir/f"),
  ])
  func `a Location is read as seen from the URL`(location: String, shown: String) throws {
    let url = try TransferURL("https://u:p@a.example/dir/f?old=1")
    let target = try url.resolving(Array(location.utf8))
    #expect(target.redacted == shown)
  }
}
