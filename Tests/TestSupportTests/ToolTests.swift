import Glibc
import TestSupport
import Testing

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct ToolTests {
  let shell = Tool(path: "/bin/sh")

  @Test func `both streams come in full and apart`() async throws {
    let script = "head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; echo end"
    let outcome = try await shell.run(["-c", script])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.standardOutput.count == 3_000_004)
    #expect(outcome.output.hasSuffix("end\n"))
    #expect(outcome.standardError.count == 2_000_000)
  }

  @Test func `input goes through while output comes back`() async throws {
    let input = SampleBytes().prefix(5_000_000)
    let outcome = try await Tool(path: "/bin/cat").run(input: input)
    #expect(Long(outcome.standardOutput) == Long(input))
  }

  @Test func `a child that does not read its input does not stop us`() async throws {
    let input = [UInt8](repeating: 1, count: 5_000_000)
    #expect(try await shell.run(["-c", "exit 3"], input: input).ending == .exited(3))
  }

  @Test func `without input the child sees its end at once`() async throws {
    #expect(try await Tool(path: "/bin/cat").run().ending == .exited(0))
  }

  @Test func `environment, folder and arguments are the ones given`() async throws {
    var tool = shell
    tool.environment = ["GREETING": "good day"]
    tool.folder = TemporaryFolder.current
    let outcome = try await tool.run(["-c", "echo \"$GREETING $1 $HOME\"; pwd", "sh", "a b"])
    #expect(outcome.output == "good day a b \n\(TemporaryFolder.current)\n")
  }

  @Test func `a signal and an exit code are told apart`() async throws {
    #expect(try await shell.run(["-c", "kill -9 $$"]).ending == .signalled(9))
    #expect(try await shell.run(["-c", "exit 137"]).ending == .exited(137))
  }

  @Test func `a child that takes too long is killed with its group`() async throws {
    var tool = shell
    tool.timeout = .milliseconds(300)
    let outcome = try await tool.run(["-c", "sleep 1000 & echo $!; sleep 1000"])
    #expect(outcome.ending == .timedOut)
    let grandchild = try #require(outcome.output.split(separator: "\n").first)
    #expect(await hasEnded(String(grandchild)))
  }

  @Test func `a cancelled run ends its child`() async throws {
    let task = Task { try await shell.run(["-c", "sleep 1000"]) }
    task.cancel()
    #expect(try await task.value.ending == .signalled(9))
  }

  @Test(arguments: [(SIGKILL, "signalled"), (SIGTERM, "TERM"), (SIGINT, "INT")])
  func `signals reach a running child`(signal: CInt, expected: String) async throws {
    let script = """
      trap 'echo TERM; exit' TERM; trap 'echo INT; exit' INT; echo ready >&2
      while :; do sleep 0.05; done
      """
    let running = try shell.start(["-c", script])
    #expect(await running.waitForErrors { $0.contains("ready") })
    #expect(running.isRunning)
    switch signal {
    case SIGKILL: running.kill()
    case SIGTERM: running.terminate()
    default: running.interrupt()
    }
    let outcome = await running.wait()
    if signal == SIGKILL {
      #expect(outcome.ending == .signalled(9))
    } else {
      #expect(outcome.output == "\(expected)\n")
    }
    #expect(!running.isRunning)
    running.kill()
  }

  @Test func `output can be read while the child runs`() async throws {
    let running = try shell.start(["-c", "echo one; echo two >&2; exec sleep 1000"])
    #expect(await running.waitForOutput { $0 == "one\n" })
    #expect(await running.waitForErrors { $0 == "two\n" })
    #expect(Long(running.standardOutput) == Long("one\n".utf8))
    running.kill()
    #expect(await running.waitForOutput { $0.contains("three") } == false)
  }

  @Test func `dropping the handle ends the child`() async throws {
    var running: RunningTool? = try shell.start(["-c", "echo on; exec sleep 1000"])
    let process = try #require(running?.process)
    #expect(await running?.waitForOutput { $0 == "on\n" } == true)
    running = nil
    #expect(await hasEnded("\(process)"))
  }

  @Test func `a tied tool ends even if the tests crash`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tool = Tool(path: "/bin/sleep")
      tool.isTiedToTests = true
      let running = try tool.start(["1000"])
      fatalError("<\(running.process)>")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let process = try #require(
      text.split(separator: "<").dropFirst().first?.split(separator: ">").first
    )
    #expect(Int(process) != nil)
    #expect(await hasEnded(String(process)))
  }

  @Test func `a tied tool sees the end of its input at once`() async throws {
    var tool = Tool(path: "/bin/cat")
    tool.isTiedToTests = true
    #expect(try await tool.run().ending == .exited(0))
  }

  @Test func `a grandchild that holds the pipes is not waited for`() async throws {
    let outcome = try await shell.run(["-c", "sleep 5 & echo done"])
    #expect(outcome.output == "done\n")
    #expect(outcome.wallSeconds < 4)
  }

  @Test func `no other descriptor reaches the child`() async throws {
    let mirror = try FaultyMirror()
    let client = try WireClient(port: mirror.port)
    let outcome = try await shell.run(["-c", "ls /proc/self/fd"])
    _ = client
    // The fourth is the folder that ls reads.
    #expect(outcome.output == "0\n1\n2\n3\n")
  }

  @Test(.enabled(if: Tool.installed("perl") != nil))
  func `memory and processor time are those of the child`() async throws {
    let perl = try #require(Tool.installed("perl"))
    let outcome = try await perl.run([
      "-e", "my $x = 'a' x 200_000_000; my $s = times; 1 while times() - $s < 0.2;",
    ])
    #expect(outcome.peakMemory > 190_000_000)
    #expect(outcome.peakMemory < 1_000_000_000)
    #expect(outcome.processorSeconds > 0.19)
  }

  @Test func `the memory of a small child is not that of the tests`() async throws {
    let ballast = [UInt8](repeating: 1, count: 100_000_000)
    let outcome = try await shell.run(["-c", "sleep 0.2"])
    #expect(outcome.peakMemory < 50_000_000)
    #expect(ballast.count == 100_000_000)
  }

  @Test func `what cannot be started says why`() async throws {
    await #expect(throws: SupportError.failed(call: "posix_spawn", code: ENOENT)) {
      try await Tool(path: "/nonexistent").run()
    }
    #expect(throws: SupportError.noProgram("never-built")) { try Tool.built("never-built") }
    #expect(Tool.installed("never-installed") == nil)
  }

  @Test func `a built program stands beside the tests`() throws {
    #expect(try Tool.built("sealiftPackageTests.xctest").path.hasPrefix("/"))
  }

  /// Whether a process that was told to end does so within ten seconds.
  private func hasEnded(_ process: String) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while residentPeak(of: process) != nil {
      guard ContinuousClock.now < deadline else { return false }
      await Task.yield()
    }
    return true
  }
}
