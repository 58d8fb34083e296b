import Foundation
import TestSupport
import ReleaseSimulator
import StrictJSON
import Testing

/// What belongs to a key rather than to a rule: its name and its end.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ConsumerTrustKeyTests {
  private static let end = "2999-01-01T00:00:00Z"

  @Test func `an end that is stated for one rule is told for the others, and never takes it away`()
    async throws
  {
    let home = try await ConsumerHome.trusting("acme/*")
    let key = home.signer.fingerprint
    let add = ["trust", "add", home.keyFile, "--models"]
    let ended = try await home.run(add + ["other", "--not-after", Self.end])
    #expect(ended.ending == .exited(0))
    #expect(
      ended.errors == """
        warning: \(key) is changed in other rules, too
          note: its end: \(Self.end), before none
          note: the rule acme/*: 1 of 1 names it
          help: --not-after never takes the end away again, in all of them

        """
    )
    // Nothing said is nothing changed.
    #expect(try await home.run(add + ["third"]).errors == "")
    let list = try await home.run(["trust", "list"])
    #expect(list.output.components(separatedBy: "until \(Self.end)").count == 4, "\(list.output)")
    let cleared = try await home.run(add + ["other", "--not-after", "never", "--json"])
    #expect(try cleared.summary()["changedRules"] == ["third", "acme/*"])
    #expect(cleared.errors.contains("  note: its end: none, before \(Self.end)\n"))
    #expect(!(try await home.run(["trust", "list"]).output.contains("until")))
  }

  @Test func `an end that has passed is told for each rule that accepts nothing with it`()
    async throws
  {
    let home = try await ConsumerHome.trusting("acme/*")
    let outcome = try await home.run([
      "trust", "add", home.keyFile, "--models", "other", "--not-after", "2020-01-01T00:00:00Z",
    ])
    for rule in ["acme/*", "other"] {
      #expect(
        outcome.errors.contains("warning: the rule \(rule): 1 of 1 accepts nothing: no key of it"),
        "\(outcome.errors)"
      )
    }
  }

  @Test func `a key keeps the name that it was given, and a new name is told for the other rules`()
    async throws
  {
    let home = try ConsumerHome()
    let add = ["trust", "add", home.keyFile, "--models"]
    let key = home.signer.fingerprint
    _ = try await home.run(add + ["acme/*", "--name", "Ada"])
    let again = try await home.run(add + ["other"])
    #expect(again.output == "trusted \(key) (Ada) for other\n")
    #expect(again.errors == "")
    let renamed = try await home.run(add + ["other", "--name", "Bo"])
    #expect(
      renamed.errors == """
        this replaces the rule other: 1 of 1
        warning: \(key) is changed in other rules, too
          note: its name: Bo, before Ada
          note: the rule acme/*: 1 of 1 names it

        """
    )
  }

  @Test(arguments: ["**", "../x", "acme/", "/x", "a//b", "acme/**", "*.json", "-*", "A"])
  func `a pattern that no model can have is refused wherever one is read`(
    pattern: String
  ) async throws {
    let home = try ConsumerHome()
    for (words, option) in [
      (["trust", "add", home.keyFile, "--models=\(pattern)"], "--models"),
      (["trust", "remove", "--", pattern], "WHAT"), (["trust", "show", "--", pattern], "WHAT"),
    ] {
      try await home.run(words).expectRefusal(
        2,
        "\(option): \"\(pattern)\" is not a pattern of model names",
        help: "one or two segments of a-z 0-9 . _ - and *, such as lfm2-* or acme/*"
      )
    }
    #expect(!FileManager.default.fileExists(atPath: home.configuration))
  }

  @Test func `a pattern in the policy that no model can have is refused with its file`()
    async throws
  {
    let home = try await ConsumerHome.trusting("acme/*")
    let path = "\(home.configuration)/trust.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let policy = try home.write(
      Array(text.replacing("acme/*", with: "acme/**").utf8),
      to: "config/trust.json"
    )
    try await home.run(["trust", "list"]).expectRefusal(
      2,
      "\(policy): \"acme/**\" is not a pattern of model names",
      help: "correct the file"
    )
  }

  @Test(arguments: [
    (["trust", "add", "release.pub", "--models", "x", "--name"], 200),
    (["trust", "withdraw", "m@1.0.0", "--reason"], 1_000),
    (["mark", "bad", "m@1.0.0", "--reason"], 1_000),
  ])
  func `names and reasons have an end`(words: [String], limit: Int) async throws {
    let home = try ConsumerHome()
    let text = String(repeating: "é", count: limit / 2)
    let long = try await home.run(words + [text + "x"])
    let grouped = limit == 200 ? "200" : "1,000"
    let option = try #require(words.last)
    long.expectRefusal(2, "\(option): it is longer than \(grouped) bytes", help: "say it shorter")
    #expect(try await home.run(words + [text]).ending != .exited(2))
  }

  @Test(arguments: ["m.json/nonexist", "SHA256:abc", "a b"])
  func `what can be withdrawn is told where something else was typed`(what: String) async throws {
    let home = try ConsumerHome()
    try await home.run(["trust", "withdraw", what, "--reason", "x"]).expectRefusal(
      2,
      "WHAT: \"\(what)\" is neither a key nor a manifest",
      note: "read as MODEL@VERSION: ",
      help: "a key is a fingerprint SHA256:..., as trust list shows it"
    )
  }
}
