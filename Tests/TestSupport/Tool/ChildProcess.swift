import Glibc

/// A child, the thread that waits for its end, and the thread that carries its streams.
///
/// Both threads end with the child, whose end its deadline brings about at the latest.
final class ChildProcess: Sendable {
  let process: pid_t
  let state = ChildState()
  private let isReaped = Guarded(false)
  private let start = ContinuousClock.now

  init(_ tool: Tool, _ arguments: [String], input: [UInt8]) throws(SupportError) {
    let (inputReader, inputWriter) = try Descriptor.pipe()
    let (outputReader, outputWriter) = try Descriptor.pipe()
    let (errorsReader, errorsWriter) = try Descriptor.pipe()
    let (endReader, endWriter) = try Descriptor.pipe()
    for end in [inputWriter, outputReader, errorsReader] { try end.setNonBlocking() }
    let pump = StreamPump(
      input: InputPipe(inputWriter, input, staysOpen: tool.isTiedToTests),
      output: outputReader,
      errors: errorsReader,
      end: endReader
    )
    process = try spawn(
      tool,
      arguments,
      ChildStreams(input: inputReader, output: outputWriter, errors: errorsWriter)
    )
    let deadline = start + tool.timeout
    let ownMemory = residentPeak(of: "self") ?? 0
    do {
      let watcher = try WorkerThread { [process] in tellEnd(of: process, endWriter) }
      let carrier = try WorkerThread { [self] in
        var pump = pump
        let report = pump.run(self, until: deadline)
        watcher.join()
        // Its number is still its own, so the group that is killed is too.
        if tool.isTiedToTests { signal(SIGKILL, wholeGroup: true) }
        reap(report, ownMemory: ownMemory)
      }
      carrier.detach()
    } catch {
      signal(SIGKILL, wholeGroup: true)
      throw error
    }
  }

  /// Sends a signal unless the process number may belong to somebody else by now.
  func signal(_ number: CInt, wholeGroup: Bool) {
    isReaped.withLock { isReaped in
      guard !isReaped else { return }
      _ = Glibc.kill(wholeGroup ? -process : process, number)
    }
  }

  private func reap(_ report: StreamPump.Report, ownMemory: Int) {
    var (status, usage): (CInt, rusage) = (0, rusage())
    isReaped.withLock { isReaped in
      // The end was seen without taking it, so this does not wait.
      while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
      isReaped = true
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let recorded = Int(usage.ru_maxrss) * 1024
    state.finish { written in
      ToolOutcome(
        ending: report.isTimedOut ? .timedOut : .init(status: status),
        standardOutput: written.output,
        standardError: written.errors,
        peakMemory: recorded > ownMemory ? recorded : report.peakMemory ?? recorded,
        processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
        wallSeconds: seconds
      )
    }
  }
}

extension ToolOutcome.Ending {
  /// Takes apart the status that `wait4` gives.
  fileprivate init(status: CInt) {
    let signal = Int(status & 0x7f)
    self = signal == 0 ? .exited(Int(status >> 8) & 0xff) : .signalled(signal)
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}

/// Waits for the end of a child, leaves it to be reaped, and writes a byte; the C function is `waitid`.
private func tellEnd(of process: pid_t, _ pipe: Descriptor) {
  var facts = unsafe siginfo_t()
  while unsafe waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  var byte: UInt8 = 1
  _ = unsafe write(pipe.number, &byte, 1)
}
