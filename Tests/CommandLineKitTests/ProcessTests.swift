import CommandLineKit
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
  @Test func `a pipe without a reader is a closed output`() async {
    await #expect(processExitsWith: .success) {
      Interruption().watchSignals()
      var ends: [CInt] = [0, 0]
      unsafe pipe(&ends)
      close(ends[0])
      #expect(throws: OutputProblem.closed) { try DescriptorSink(ends[1]).write([1]) }
    }
  }

  @Test func `a full disk is a failed output`() {
    let descriptor = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: OutputProblem.failed(code: ENOSPC)) {
      try DescriptorSink(descriptor).write([1])
    }
  }

  @Test func `a pipe that does not block gets everything, in pieces`() async throws {
    var ends: [CInt] = [0, 0]
    unsafe pipe(&ends)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let (input, output) = (ends[0], ends[1])
    async let count = blocking { Self.countBytes(of: input) }
    let problem = await blocking {
      defer { close(output) }
      do throws(OutputProblem) {
        try DescriptorSink(output).write([UInt8](repeating: 7, count: 1_000_000))
        return OutputProblem?.none
      } catch {
        return error
      }
    }
    #expect(problem == nil)
    #expect(await count == 1_000_000)
  }

  private static func countBytes(of descriptor: CInt) -> Int {
    var buffer = [UInt8](repeating: 0, count: 1000)
    var total = 0
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      total += count
    }
    close(descriptor)
    return total
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal stops a tool cleanly`(signal: CInt) async {
    await #expect(processExitsWith: .exitCode(130)) { [signal] in
      let surroundings = Surroundings(
        arguments: ["wait"],
        output: CapturedOutput(),
        errors: CapturedOutput()
      )
      surroundings.interruption.watchSignals()
      kill(getpid(), signal)
      let exitCode = await runTool(sampleTable, in: surroundings, explain: explainSample)
      exit(exitCode.rawValue)
    }
  }

  @Test func `a second signal ends the process at once`() async {
    await #expect(processExitsWith: .exitCode(130)) {
      let interruption = Interruption()
      interruption.watchSignals()
      kill(getpid(), SIGINT)
      while !interruption.isInterrupted { await Task.yield() }
      kill(getpid(), SIGINT)
      try await Task.sleep(for: .seconds(50))
      exit(0)
    }
  }

  @Test func `a program that takes the place of this one gets default signals`() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      Interruption().watchSignals()
      restoreDefaultSignals()
      kill(getpid(), SIGINT)
      try await Task.sleep(for: .seconds(50))
    }
  }

  @Test func `the environment holds what was set`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("SEALIFT_STORE", "a=b", 1)
      let environment = try processEnvironment()
      #expect(environment["SEALIFT_STORE"] == "a=b")
    }
  }

  @Test func `a variable that is read must be UTF-8`() async {
    await #expect(processExitsWith: .success) {
      let bad: [CChar] = [-1, 0]
      unsafe setenv("OTHER_VARIABLE", bad, 1)
      let environment = try processEnvironment()
      #expect(environment["OTHER_VARIABLE"] == nil)
      for argument in ["OTHER_VARIABLE", "--token-env=OTHER_VARIABLE"] {
        #expect(throws: UsageError("the environment variable OTHER_VARIABLE is not valid UTF-8")) {
          try processEnvironment(namedIn: [argument])
        }
      }
      unsafe setenv("SEALIFT_STORE", bad, 1)
      #expect(throws: UsageError("the environment variable SEALIFT_STORE is not valid UTF-8")) {
        try processEnvironment()
      }
    }
  }

  @Test(arguments: [
    ["--passphrase-env", "A_SECRET"], ["x", "--new-passphrase-env=A_SECRET"],
  ])
  func `a variable that holds a passphrase is read once, and is gone then`(
    arguments: [String]
  ) async {
    await #expect(processExitsWith: .success) { [arguments] in
      let secret: [CChar] = [0x73, -1, 0x78, 0]
      unsafe setenv("A_SECRET", secret, 1)
      unsafe setenv("A_SECRET_TOO", "open", 1)
      let environment = try processEnvironment(namedIn: arguments)
      #expect(environment["A_SECRET"] == nil)
      #expect(environment["A_SECRET_TOO"] == "open")
      #expect(takeProcessVariable("A_SECRET") == [0x73, 0xff, 0x78])
      #expect(takeProcessVariable("A_SECRET") == [])
      #expect(takeProcessVariable("NOT_SET") == nil)
      let left = unsafe getenv("A_SECRET").map { unsafe [$0[0], $0[1], $0[2]] }
      #expect(left == [0, 0, 0])
    }
  }
}
