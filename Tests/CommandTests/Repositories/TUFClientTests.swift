import TestSupport
import Testing

/// The client on the command line of the TUF project's conformance suite, against repositories that python-tuf makes.
///
/// One run of Python makes all repositories, serves them over HTTP/1.0, and judges what the client asks for and keeps.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(30)),
  .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
)
struct TUFClientTests {
  @Test func `the client does what the specification says, request by request`() async throws {
    let client = try Tool.built("sealift-tuf-client").path
    let outcome = try await PythonEnvironment.judge("Conformance/main.py", [client])
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let words = outcome.output.split(separator: " ")
    #expect(words.count == 5 && words[0] == words[2] && Int(words[0]) ?? 0 > 190, "\(words)")
  }
}
