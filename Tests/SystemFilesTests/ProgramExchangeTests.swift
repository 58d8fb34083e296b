import Foundation
import Glibc
import SystemFiles
import TestSupport
import Testing

/// Asking a program for an answer to bytes.
@Suite(.temporaryFolder)
struct ProgramExchangeTests {
  private func exchange(
    _ script: String,
    input: [UInt8] = [],
    limit: Int = 4_096,
    report: (String) -> Void = { _ in }
  ) throws(ProgramExchange.Failure) -> ProgramExchange {
    try ProgramExchange(with: ["sh", "-c", script], input: input, limit: limit, report: report)
  }

  /// A script that waits for a file, but not for ever: nobody ends it where the tests are killed.
  ///
  /// It ends as well when the folder of the file goes, which a test may do before the script has looked.
  private static func waiting(for path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let isAwaited = "[ $i -lt 6000 ] && [ -d \(folder) ] && ! [ -e \(path) ]"
    return "i=0; while \(isAwaited); do sleep 0.1; i=$((i+1)); done"
  }

  @Test func `the program reads the input and its output is kept, byte for byte`() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let exchange = try exchange("cat", input: bytes, limit: bytes.count)
    #expect(exchange.output == bytes)
    #expect(exchange.ending == .exited(0))
  }

  @Test func `the input is a plain file that can be opened once more`() throws {
    let script = "stat -L -c %F,%s /dev/stdin; cat /dev/stdin; cat /dev/stdin"
    let output = try exchange(script, input: Array("ab".utf8)).output
    #expect(String(decoding: output, as: UTF8.self) == "regular file,2\nabab")
  }

  @Test(arguments: [
    ("exit 0", ProgramExchange.Ending.exited(0)), ("exit 7", .exited(7)),
    ("kill -9 $$", .signalled(9)), ("kill -15 $$", .signalled(15)),
  ])
  func `how it ended is told`(script: String, ending: ProgramExchange.Ending) throws {
    #expect(try exchange(script).ending == ending)
  }

  @Test func `errors are reported line by line, apart from the output`() throws {
    var lines: [String] = []
    let output = try exchange("echo one >&2; echo out; printf 'two\\nthree' >&2") {
      lines.append($0)
    }
    #expect(output.output == Array("out\n".utf8))
    #expect(lines == ["one", "two", "three"])
  }

  @Test func `a program that complains without end is ended`() {
    var count = 0
    #expect(throws: ProgramExchange.Failure.tooManyErrors(limit: 10_000)) {
      _ = try ProgramExchange(
        with: ["sh", "-c", "exec yes >&2"],
        input: [],
        limit: 1,
        errorLimit: 10_000
      ) { line in count += line.utf8.count + 1 }
    }
    // What came with the last look is still shown.
    #expect(count <= 10_000 + 4_096)
  }

  @Test func `a question without a line end is shown while the program waits`() throws {
    // The program goes on only once the question has been seen.
    let go = TemporaryFolder.path("go")
    let script = "printf 'PIN: ' >&2; \(Self.waiting(for: go)); echo on"
    let exchange = try exchange(script) { line in
      if line == "PIN: " { makeFile(go) }
    }
    #expect(exchange.output == Array("on\n".utf8))
  }

  @Test func `a line without an end is cut, and lost nowhere`() throws {
    var text = ""
    _ = try exchange("yes | tr -d '\\n' | head -c 100000 >&2") {
      text += $0
      #expect($0.utf8.count <= 4_096)
    }
    #expect(text.utf8.count == 100_000)
  }

  @Test func `what is found at the end of a program is cut in the same way`() throws {
    let long = String(repeating: "y", count: 4_096)
    var lines: [String] = []
    let script = "echo $$ >&2; head -c 8192 /dev/zero | tr '\\0' y >&2; printf '\\nlast\\n\\n' >&2"
    _ = try exchange(script) { line in
      // All that it prints fits into the pipe, and is there before the next look.
      if let child = id_t(line) {
        var info = unsafe siginfo_t()
        #expect(unsafe waitid(P_PID, child, &info, WEXITED | WNOWAIT) == 0)
      } else {
        lines.append(line)
      }
    }
    #expect(lines == [long, long, "last", ""])
  }

  @Test func `a program that prints too much is ended`() {
    #expect(throws: ProgramExchange.Failure.tooMuchOutput(limit: 100)) {
      _ = try exchange("while :; do echo 0123456789; done", limit: 100)
    }
    #expect(throws: ProgramExchange.Failure.tooMuchOutput(limit: 3)) {
      _ = try exchange("printf 1234", limit: 3)
    }
  }

  @Test func `what its children hold open is not waited for`() throws {
    let go = TemporaryFolder.path("go")
    // The child holds the pipe until this test lets it go.
    let exchange = try exchange("echo done; (\(Self.waiting(for: go))) & ")
    makeFile(go)
    #expect(exchange.output == Array("done\n".utf8))
  }

  @Test func `a program that is not there, or may not be run, is told`() {
    let plain = TemporaryFolder.path("plain")
    makeFile(plain)
    #expect(
      throws: ProgramExchange.Failure.notStarted(
        SystemError("posix_spawn", code: 2, path: "no-such-program-here")
      )
    ) {
      _ = try ProgramExchange(with: ["no-such-program-here"], input: [], limit: 1) { _ in }
    }
    #expect(
      throws: ProgramExchange.Failure.notStarted(
        SystemError("posix_spawn", code: 13, path: plain)
      )
    ) {
      _ = try ProgramExchange(with: [plain], input: [], limit: 1) { _ in }
    }
  }

  @Test(arguments: ["exec sleep 600", "trap '' TERM; \(waiting(for: "/nonexistent"))"])
  func `a cancelled task ends the program, also one that will not`(script: String) async throws {
    let folder = TemporaryFolder.current
    // It blocks its thread, which must not be one of those that tests share.
    let task = Task(executorPreference: OwnThread()) {
      try ProgramExchange(
        with: ["sh", "-c", "echo $$ > \(folder)/new; mv \(folder)/new \(folder)/id; \(script)"],
        input: [],
        limit: 10
      ) { _ in }
    }
    #expect(try await eventually { FileManager.default.fileExists(atPath: "\(folder)/id") })
    let id = try String(contentsOfFile: "\(folder)/id", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    task.cancel()
    await #expect(throws: ProgramExchange.Failure.cancelled) { _ = try await task.value }
    // Another program may have its number by now.
    let command = try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)
    #expect(command?.contains(folder) != true)
  }

  @Test func `a program that somebody else reaps is over, and how it ended is not known`() throws {
    let exchange = try exchange("echo $$ >&2; exec sleep 600") { line in
      guard let child = pid_t(line) else { return }
      kill(child, SIGKILL)
      #expect(waitpid(child, nil, 0) == child)
    }
    #expect(exchange.ending == .unknown)
    #expect(exchange.output.isEmpty)
  }

  private func makeFile(_ path: String) {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
  }
}
