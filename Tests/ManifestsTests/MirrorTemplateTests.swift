import Digests
import Manifests
import Testing

struct MirrorTemplateTests {
  static let digest = SHA256Digest.ofNothing

  private func url(_ template: String, _ path: String, model: String = "acme/m") throws -> String {
    try MirrorTemplate(template).url(
      of: RelativePath(path),
      sha256: Self.digest,
      model: ModelName(model),
      version: Version("1.0.0-rc.1")
    )
  }

  @Test(arguments: [
    ("https://h/{sha256}", "a", "https://h/\(digest.hex)"),
    ("https://h/{model}/{version}/{name}", "d/x.gguf", "https://h/acme/m/1.0.0-rc.1/d/x.gguf"),
    ("https://h/{name}", "a b+c@d=e,(f)[g].x", "https://h/a%20b%2Bc%40d%3De%2C%28f%29%5Bg%5D.x"),
    ("https://h/get?f={name}&m={model}", "d/x y", "https://h/get?f=d%2Fx%20y&m=acme%2Fm"),
    ("http://127.0.0.1:8080/{name}{name}", "a", "http://127.0.0.1:8080/aa"),
    ("file:///srv/{sha256}", "a", "file:///srv/\(digest.hex)"),
    ("https://[::1]:443/x%20y?download=true", "a", "https://[::1]:443/x%20y?download=true"),
    ("https://h", "a", "https://h"), ("file://localhost/x", "a", "file://localhost/x"),
    ("https://h/a@b", "a", "https://h/a@b"),
    ("https://h?x={version}", "a", "https://h?x=1.0.0-rc.1"),
  ])
  func `a template becomes the URL of a file`(template: String, path: String, url: String) throws {
    #expect(try self.url(template, path) == url)
  }

  @Test(
    arguments: [
      ("", .empty), ("ftp://h/x", .unsupportedScheme("ftp")),
      ("s3://b/{name}", .unsupportedScheme("s3")),
      ("oci://r/x", .unsupportedScheme("oci")), ("HTTPS://h/", .unsupportedScheme("HTTPS")),
      ("javascript:alert(1)", .unsupportedScheme("javascript")),
      ("https://u:p@h/x", .credentials), ("https://u@h/x", .credentials),
      ("file://u@/x", .credentials),
      ("https://h/x#y", .fragment), ("https://h/{nam}", .unknownPlaceholder("nam")),
      ("https://h/{}", .unknownPlaceholder("")), ("https://h/{name", .badByte(0x7B, offset: 10)),
      ("https://h/name}", .badByte(0x7D, offset: 14)),
      ("https://{model}/x", .badByte(0x7B, offset: 8)),
      ("https://h/a b", .badByte(0x20, offset: 11)), ("https://h/a\n", .badByte(0x0A, offset: 11)),
      ("https://h\u{0}/", .badByte(0, offset: 9)), ("https://h/\\", .badByte(0x5C, offset: 10)),
      ("https://h/é", .badByte(0xC3, offset: 10)), ("https://é/", .badByte(0xC3, offset: 8)),
      ("https://h/%2", .badByte(0x25, offset: 10)), ("https://h/%zz", .badByte(0x25, offset: 10)),
      ("https:///x", .badHost), ("https://:80/x", .badHost), ("https://h:/x", .badHost),
      ("https://h:0/x", .badHost), ("https://h:65536/x", .badHost),
      ("https://h:+80/x", .badByte(0x2B, offset: 10)),
      ("https://[::1/x", .badHost), ("https://[]/x", .badHost), ("https://a]b/x", .badHost),
      ("https://[::1]x/", .badHost), ("file://host/x", .badHost),
      ("file://", .badForm(expected: "file:///absolute/path")),
      ("https:/h/x", .badForm(expected: "https://…, http://… or file:///…")),
      ("/srv/x", .badForm(expected: "https://…, http://… or file:///…")),
      ("example.com/x", .badForm(expected: "https://…, http://… or file:///…")),
      ("https://h/" + String(repeating: "a", count: 2048), .tooLong(limit: 2048)),
    ] as [(String, TextFault)]
  )
  func `anything else is refused with its rule`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.mirror, text, fault))) {
      try MirrorTemplate(text)
    }
  }

  @Test func `a message shows no password and no token`() throws {
    let refused = error { () throws(ManifestError) in
      _ = try MirrorTemplate("https://u:secret@h/x?t=secret")
    }
    #expect(refused?.text == "mirror \"https://h/x\": it contains credentials")
    #expect(try MirrorTemplate("https://h/x?token=secret").description == "https://h/x")
  }

  @Test func `a template without digest and name has one URL for all files`() throws {
    #expect(try MirrorTemplate("https://h/{sha256}").distinguishesFiles)
    #expect(try MirrorTemplate("https://h/{model}?f={name}").distinguishesFiles)
    #expect(try !MirrorTemplate("https://h/{model}/{version}").distinguishesFiles)
  }
}
