import Manifests
import ModelFormats
import Publishing
import TestSupport
import Testing

/// Tokens in the URL of a mirror, which a manifest would publish.
@Suite(.temporaryFolder)
struct MirrorSecretTests {
  private func secrets(_ url: String) throws -> [String] {
    for case .secret(_, let parameters) in MirrorAdvice.about(try MirrorTemplate(url)) {
      return parameters
    }
    return []
  }

  @Test(arguments: [
    ("token=abc", ["token"]), ("a=1&access_token=abc", ["access_token"]),
    (
      "X-Amz-Algorithm=A&X-Amz-Credential=c&X-Amz-Signature=s",
      ["X-Amz-Credential", "X-Amz-Signature"]
    ),
    ("X-Goog-Signature=s", ["X-Goog-Signature"]), ("sv=1&se=2&sig=s", ["sig"]),
    ("apikey=k", ["apikey"]), ("api-key=k", ["api-key"]), ("AccessToken=k", ["AccessToken"]),
    ("Key-Pair-Id=k&Policy=p", ["Key-Pair-Id", "Policy"]), ("n={name}&auth=x", ["auth"]),
    ("token=a{name}", ["token"]),
  ])
  func `a parameter with a value that may be a secret is told by its name`(
    query: String,
    names: [String]
  ) throws {
    #expect(try secrets("https://example.com/{name}?\(query)") == names)
  }

  @Test(arguments: [
    "", "?", "?download=true", "?version=1&raw", "?token", "?token=", "?key={sha256}",
    "?keyboard=us",
    "?monkey=1", "?design=a", "?n={name}", "?tokenizer=bpe", "?authors=x",
  ])
  func `what is no secret is not warned about`(query: String) throws {
    #expect(try secrets("https://example.com/{name}\(query)") == [])
  }

  @Test func `a build warns, and a strict one refuses before it reads the files`() throws {
    try write(SampleModel.gguf(), to: "a.gguf")
    let url = "https://example.com/{name}?token=geheim"
    var draft = try ReleaseDraft.sample(mirrors: [url])
    let warnings = try ReleaseBuilder.build(["a.gguf"], draft).warnings
    let mirror = try MirrorTemplate(url)
    #expect(warnings == [.mirror(.secret(mirror, parameters: ["token"]))])
    draft.consent.isStrict = true
    #expect(throws: PublishingError.secretInMirror(mirror, parameters: ["token"])) {
      try ReleaseBuilder.build(["a.gguf"], draft) { _ in
        Issue.record("a file was read")
        return true
      }
    }
  }
}
