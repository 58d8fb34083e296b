import Manifests
import Signatures
import StrictJSON
import Testing
import Trust

/// Which repositories a client has, and which of them a model belongs to.
struct RepositoryListTests {
  private func repository(
    _ name: String,
    _ url: String = "https://example.com/r",
    _ models: String...
  ) throws -> PinnedRepository {
    PinnedRepository(
      name: try RepositoryName(name),
      urls: [try RepositoryURL(url)],
      models: try (models.isEmpty ? ["acme/*"] : models).map { try ModelPattern($0) },
      root: Array("{}".utf8)
    )
  }

  @Test func `a model belongs to the repository whose pattern matches, and else to none`() throws {
    let acme = try repository("acme")
    let tiny = try repository("tiny", "https://example.org", "tiny", "lfm2-*", "tiny")
    let list = try RepositoryList().adding(tiny).adding(acme)
    #expect(list.repositories == [acme, tiny])
    #expect(tiny.models.map(\.text) == ["tiny", "lfm2-*"])
    #expect(try list.repository(for: ModelName("acme/chat")) == acme)
    #expect(try list.repository(for: ModelName("lfm2-2.6b")) == tiny)
    #expect(try list.repository(for: ModelName("other")) == nil)
    #expect(try list.repository(named: RepositoryName("acme")) == acme)
    #expect(try list.repository(named: RepositoryName("Acme")) == nil)
    let model = try ModelName("acme/x")
    #expect(acme.covers(model) && !tiny.covers(model))
  }

  @Test func `overlapping repositories are refused`() throws {
    let list = try RepositoryList().adding(repository("acme", "https://a.example", "acme/*"))
    for pattern in ["acme/tiny", "*/tiny", "acme/t*"] {
      let expected = RepositoryError.overlap(
        try ModelPattern(pattern),
        with: try ModelPattern("acme/*"),
        of: try RepositoryName("acme")
      )
      #expect(throws: expected) {
        try list.adding(repository("other", "https://b.example", "free", pattern))
      }
    }
    #expect(throws: Never.self) {
      try list.adding(repository("other", "https://b.example", "other/*"))
    }
  }

  @Test func `a name belongs to one repository, whatever its case`() throws {
    let list = try RepositoryList().adding(repository("acme", "https://a.example", "acme/*"))
    for name in ["acme", "ACME"] {
      let expected = RepositoryError.nameTaken(
        try RepositoryName(name),
        url: try RepositoryURL("https://a.example")
      )
      #expect(throws: expected) { try list.adding(repository(name, "https://b.example", "x")) }
    }
  }

  @Test func `adding the same repository again replaces what was said of it`() throws {
    let list = try RepositoryList().adding(repository("acme", "https://a.example", "acme/*"))
    let wider = try repository("acme", "https://a.example/", "acme/*", "tiny")
    #expect(try list.adding(wider).repositories == [wider])
    #expect(try list.removing(RepositoryName("acme")) == RepositoryList())
    #expect(throws: RepositoryError.noSuchRepository(try RepositoryName("x"))) {
      try list.removing(RepositoryName("x"))
    }
  }

  @Test func `a list comes back from its document`() throws {
    let list = try RepositoryList()
      .adding(repository("b", "file:///srv/r", "b", "c-*")).adding(repository("a"))
    #expect(try RepositoryList(document: list.document) == list)
    let text = String(decoding: JSONWriter.compact(list.document), as: UTF8.self)
    #expect(
      text
        == #"{"schema":"sealift.repositories/1","repositories":{"a":{"urls":["https://example.com/r"],"#
        + #""models":["acme/*"],"root":"e30="},"b":{"urls":["file:///srv/r"],"models":["b","c-*"],"root":"e30="}}}"#
    )
    #expect(try RepositoryList(document: RepositoryList().document) == RepositoryList())
  }

  private static let malformed: [(text: String, problem: DocumentProblem)] = [
    ("[]", .shape(JSONShapeError(path: "", problem: .wrongType(expected: .object, found: .array)))),
    (
      #"{"schema":"x"}"#,
      .unexpected(path: "schema", expected: "sealift.repositories/1", found: "x")
    ),
    (
      #"{S,"repositories":{},"more":1}"#,
      .unexpected(path: "more", expected: "schema, repositories", found: "more")
    ),
    (
      #"{S,"repositories":{"a":{"urls":[],"models":["x"],"root":""}}}"#,
      .unexpected(path: "repositories.a.urls", expected: "at least one", found: "none")
    ),
    (
      #"{S,"repositories":{"a":{"urls":["https://a"],"models":[],"root":""}}}"#,
      .unexpected(path: "repositories.a.models", expected: "at least one", found: "none")
    ),
    (
      #"{S,"repositories":{"a":{"urls":["https://a"],"models":["X"],"root":""}}}"#,
      .unexpected(
        path: "repositories.a.models[0]",
        expected: "a pattern of model names",
        found: "X"
      )
    ),
    (
      #"{S,"repositories":{"a":{"urls":["https://a"],"models":["x"],"root":"*"}}}"#,
      .notBase64(path: "repositories.a.root")
    ),
    (
      #"{S,"repositories":{"a":{"urls":["https://a"],"models":["x"],"root":"","trust":1}}}"#,
      .unexpected(path: "repositories.a.trust", expected: "urls, models, root", found: "trust")
    ),
    (
      #"{S,"repositories":{"a/b":{"urls":["https://a"],"models":["x"],"root":""}}}"#,
      .text(
        path: #"repositories["a/b"]"#,
        TextProblem(.repository, "a/b", .badByte(0x2F, offset: 1))
      )
    ),
    (
      #"{S,"repositories":{"a":{"urls":["ftp://a"],"models":["x"],"root":""}}}"#,
      .text(
        path: "repositories.a.urls[0]",
        TextProblem(.repositoryURL, "ftp://a", .unsupportedScheme("ftp"))
      )
    ),
  ]

  @Test(arguments: malformed)
  func `a malformed list is refused with the place`(text: String, problem: DocumentProblem) throws {
    let filled = text.split(separator: "S,", omittingEmptySubsequences: false)
      .joined(separator: #""schema":"sealift.repositories/1","#)
    let document = try Samples.document(filled)
    #expect(throws: RepositoryError.document(path: "repositories.json", problem)) {
      try RepositoryList(document: document)
    }
  }

  @Test func `a list whose repositories overlap is refused`() throws {
    let entry = #"{"urls":["https://a"],"models":["x"],"root":""}"#
    let document = try Samples.document(
      #"{"schema":"sealift.repositories/1","repositories":{"a":\#(entry),"b":\#(entry)}}"#
    )
    let pattern = try ModelPattern("x")
    #expect(throws: RepositoryError.overlap(pattern, with: pattern, of: try RepositoryName("a"))) {
      try RepositoryList(document: document)
    }
  }

  @Test(arguments: ["https://e.com/r", "https://e.com/r/", "https://e.com/r//"])
  func `a repository is a mirror of its own blobs`(text: String) throws {
    let url = try RepositoryURL(text)
    #expect(url.text == "https://e.com/r" && "\(url)" == url.text)
    #expect(url.blobs.text == "https://e.com/r/blobs/sha256/{sha256}")
  }

  @Test(arguments: ["https://e.com/?x", "https://e.com/{sha256}", "https://e.com/}"])
  func `a repository has a plain URL`(text: String) {
    #expect(
      throws: ManifestError.text(
        TextProblem(.repositoryURL, text, .badForm(expected: "a URL without ?, { and }"))
      )
    ) { try RepositoryURL(text) }
  }

  @Test(arguments: [
    ("ftp://e.com", TextFault.unsupportedScheme("ftp")), ("https://me:x@e.com/r", .credentials),
  ])
  func `what is wrong with a URL is told of what was typed`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.repositoryURL, text, fault))) {
      try RepositoryURL(text)
    }
  }
}
