import Foundation
import StrictJSON
import TestSupport
import Testing

/// Rows G1 and G2 of the table of known failures: what a mirror is told of who asks.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct SecretRows {
  /// The ways in which a client is given a secret for a mirror.
  enum Way: CaseIterable, Sendable {
    case netrc, netrcDefault, tokens, tokenVariable

    /// The field that the mirror is sent.
    var field: String {
      switch self {
      case .netrc, .netrcDefault: "Basic cmVhZGVyOmh1bnRlcjI="  // reader:hunter2
      case .tokens, .tokenVariable: "Bearer hunter2"
      }
    }

    /// Writes the secret where it belongs, and gives the options that name the place.
    func options(for mirror: FaultyMirror, _ home: ConsumerHome) throws -> [String] {
      func file(_ text: String) throws -> String { try home.write(Array(text.utf8), to: "secrets") }
      switch self {
      case .netrc:
        return ["--netrc", try file("machine 127.0.0.1 login reader password hunter2\n")]
      case .netrcDefault: return ["--netrc", try file("default login reader password hunter2\n")]
      case .tokens: return ["--tokens", try file("# mirrors\n\(mirror.url) hunter2\n")]
      case .tokenVariable: return ["--token-env", "\(mirror.url)=MIRROR_TOKEN"]
      }
    }
  }

  private static let fields: Set<String> = [
    "host", "user-agent", "accept", "accept-encoding", "cache-control", "range", "connection",
  ]

  private func trio() async throws -> Trio {
    try await Trio().withEnvironment(["MIRROR_TOKEN": "hunter2"])
  }

  @Test(.rows("G1", "G2"), arguments: Way.allCases)
  func `a secret goes to the mirror that it is for, and to no place that it redirects to`(
    way: Way
  ) async throws {
    let (trio, target) = (try await trio(), try Trio.mirror())
    trio.a.set(.redirect(to: target.url))
    let outcome = try await trio.install(way.options(for: trio.a, trio.home), from: [trio.a.url])
    try trio.expectInstalled(outcome)
    #expect(!target.requests.isEmpty)
    for request in trio.a.requests {
      #expect(request.fields.value("Authorization") == way.field)
    }
    for request in target.requests {
      let names = Set(request.fields.map { $0.name.lowercased() })
      #expect(names.isSubset(of: Self.fields), "\(names)")
    }
    #expect(!(outcome.errors + outcome.output).contains("hunter2"))
  }

  @Test(.rows("G1"), arguments: Way.allCases)
  func `a secret opens a mirror that wants it, and other mirrors are told nothing`(
    way: Way
  ) async throws {
    let trio = try await trio()
    trio.a.set(.unauthorized(unless: way.field))
    trio.preferA()
    let isForAll = way == .netrc || way == .netrcDefault
    let outcome = try await trio.install(way.options(for: trio.a, trio.home))
    try trio.expectInstalled(outcome)
    #expect(try outcome.share(of: trio.a).good > 0)
    #expect(try outcome.share(of: trio.a).faults == [:])
    for request in trio.b.requests + trio.c.requests {
      // A netrc file speaks of a host, and all three are one.
      #expect(request.hasAuthorization == isForAll)
    }
    #expect(!(outcome.errors + outcome.output).contains("hunter2"))
  }

  @Test func `a token that others can read on its way is warned about`() async throws {
    let trio = try await Trio().withEnvironment([
      "MIRROR_TOKEN": "hunter2", "http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1",
    ])
    let exposed = "http://mirror.invalid"
    let options = ["--token-env", "\(exposed)=MIRROR_TOKEN"]
    let warned = try await trio.install(options + ["--give-up", "5s"])
    try trio.expectInstalled(warned)
    let kinds = try warned.events().filter { $0["kind"] == "exposedToken" }
    #expect(kinds.count == 1, "\(warned.output)")
    let own = [
      "--token-env", "\(trio.a.url)=MIRROR_TOKEN", "--token-env", "https://a.invalid=MIRROR_TOKEN",
    ]
    let silent = try await trio.install(own)
    #expect(try silent.events().allSatisfy { $0["kind"] != "exposedToken" })
    #expect(!(warned.output + warned.errors + silent.output + silent.errors).contains("hunter2"))
  }

  @Test func `a token with a line end is no token, and the origin is not blamed`() async throws {
    let trio = try await Trio().withEnvironment(["MIRROR_TOKEN": "hunter2\r\nX-Evil: 1"])
    let outcome = try await trio.install(["--token-env", "\(trio.a.url)=MIRROR_TOKEN"])
    #expect(outcome.ending == .exited(2), "\(outcome.errors)")
    #expect(outcome.errors.contains("MIRROR_TOKEN holds no token"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("hunter2"))
    #expect(trio.bytesSent == 0)
  }
}
