import Foundation
import ReleaseSimulator
import Sealift
import Signatures
import TestSupport
import Testing

/// The programs of `Examples/`, run as they are.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ExampleTests {
  private let application: Application

  init() throws { application = try Application() }

  /// A line with requests that stays open, as the standard input of a program has it.
  private final class Requests: Sendable {
    let path = TemporaryFolder.path("requests")
    private let handle: FileHandle

    init() throws {
      try #require(unsafe mkfifo(path, 0o600) == 0)
      // Open for both, so that neither side waits for the other.
      let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
      try #require(descriptor >= 0)
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func send(_ line: String) throws { try handle.write(contentsOf: Data("\(line)\n".utf8)) }
    func end() throws { try handle.close() }
  }

  private func service(_ requests: Requests, _ runtime: [String]) throws -> RunningTool {
    let program = try Tool.built("example-service").path
    let arguments = [application.storePath, application.key, "tiny", "--"] + runtime
    return try Tool(path: "/bin/sh").start(
      ["-c", "input=$1; shift; exec \"$@\" <\"$input\"", "sh", requests.path, program] + arguments
    )
  }

  @Test func `the terminal program installs and says what is active`() async throws {
    let release = try Application.large()
    let mirror = try FaultyMirror(release)
    let manifest = TemporaryFolder.path("manifest.json")
    try Data(application.manifest(release, from: [mirror.template]))
      .write(to: URL(filePath: manifest))
    let program = try Tool.built("example-terminal")
    let outcome = try await program.run([application.storePath, application.key, manifest])
    #expect(outcome.exitCode == 0, "\(outcome.output)")
    #expect(outcome.output.contains("1048576 bytes to download"))
    #expect(outcome.output.contains("version 1.0.0 is active"))

    let stranger = try SimulatedSigner("stranger").publicKey.shortForm
    let refused = try await program.run([application.storePath, stranger, manifest])
    #expect(refused.exitCode == 1)
    #expect(refused.output.contains("not signed by anybody whom this application trusts"))
    withExtendedLifetime(mirror) {}
  }

  @Test func `the service swaps between two requests when another version becomes active`()
    async throws
  {
    #expect(try await application.install(.tiny()) == .active(version: "1.0.0"))
    let requests = try Requests()
    let script = "while read -r line; do echo \"$line is $(cat \"$MODEL_DIR/config.json\")\"; done"
    let service = try service(requests, ["/bin/sh", "-c", script])
    try requests.send("one")
    #expect(await service.waitForOutput { $0.contains("1.0.0: one is {\"version\":\"1.0.0\"}\n") })
    #expect(try await application.install(.tiny("1.1.0")) == .active(version: "1.1.0"))
    try requests.send("two")
    #expect(await service.waitForOutput { $0.contains("1.1.0: two is {\"version\":\"1.1.0\"}\n") })
    try requests.end()
    let outcome = await service.wait()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("swapped 1.0.0 for 1.1.0\n"))
  }

  @Test(.enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice))
  func `onnxruntime loads what the service has leased, and answers`() async throws {
    func release(_ version: String, _ elements: Int) throws -> SimulatedRelease {
      try SimulatedRelease(
        "tiny",
        version,
        files: [SimulatedFile("model.onnx", SampleModel.onnx(elements: elements))]
      )
    }
    #expect(try await application.install(release("1.0.0", 2)) == .active(version: "1.0.0"))
    let requests = try Requests()
    let runtime = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/Service/runtime.py").path
    let service = try service(requests, [PythonEnvironment.python.path, runtime])
    try requests.send("3 4")
    #expect(await service.waitForOutput { $0.contains("1.0.0: 3 4\n") })
    #expect(try await application.install(release("1.1.0", 3)) == .active(version: "1.1.0"))
    // The new version takes three numbers, which the old one refuses.
    try requests.send("5 6 7")
    #expect(await service.waitForOutput { $0.contains("1.1.0: 5 6 7\n") })
    try requests.end()
    #expect(await service.wait().exitCode == 0)
  }
}
