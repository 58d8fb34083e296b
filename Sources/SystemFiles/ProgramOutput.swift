import CLinux
import Glibc

/// What a program prints within a time, for asking one about itself.
package struct ProgramOutput: Equatable, Sendable {
  /// Why there is no output.
  package enum Failure: Error, Equatable, Sendable {
    /// The program can't be started.
    case notStarted(SystemError)
    /// The program was still running when the time was over, and was ended.
    case timeout
  }

  /// The bytes that are kept of both outputs together.
  package static let maximumSize = 1 << 16

  /// What came from standard output and standard error, as it came.
  package let bytes: [UInt8]

  /// Runs the program at `path`, which is not searched for, with an empty standard input.
  ///
  /// The program gets a process group of its own; all of it is ended when the time is over, when the
  /// program has ended, or when it prints more than `maximumSize` bytes. Its environment is
  /// `environment`, each as `NAME=VALUE`. Blocks the calling thread.
  package init(
    of path: String,
    _ arguments: [String],
    environment: [String],
    milliseconds: Int
  ) throws(Failure) {
    var pipe = PipeEnds()
    do throws(SystemError) {
      try pipe.open()
    } catch {
      throw .notStarted(error)
    }
    let child: pid_t
    do throws(SystemError) {
      child = try spawn(
        path,
        arguments,
        environment: environment,
        ChildStreams(output: pipe.write, errors: pipe.write)
      )
    } catch {
      pipe.close()
      throw .notStarted(error)
    }
    pipe.closeWrite()
    let deadline = Self.now() + milliseconds
    let (bytes, isOver) = Self.read(pipe.read, until: deadline)
    pipe.close()
    let hasEnded = isOver && Self.hasEnded(child, until: deadline)
    // The child is not reaped yet, so that the number of its group is still its own.
    kill(-child, SIGKILL)
    Self.reap(child)
    guard isOver, hasEnded || bytes.count >= Self.maximumSize else { throw .timeout }
    self.bytes = bytes
  }

  private static func now() -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Reads until the end of the output, the limit, or the deadline; says whether it was not the last.
  private static func read(_ descriptor: CInt, until deadline: Int) -> ([UInt8], Bool) {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < maximumSize {
      let left = deadline - now()
      guard left > 0 else { return (bytes, false) }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, CInt(clamping: left)) > 0 else { continue }
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (bytes, true) }
      bytes += block.prefix(min(count, maximumSize - bytes.count))
    }
    return (bytes, true)
  }

  /// Waits for the end of the program, which that of its output announces, and leaves it to be reaped.
  private static func hasEnded(_ child: pid_t, until deadline: Int) -> Bool {
    while now() < deadline {
      if SystemFiles.hasEnded(child) { return true }
      usleep(2_000)
    }
    return false
  }

  private static func reap(_ child: pid_t) {
    while waitpid(child, nil, 0) < 0, errno == EINTR {}
  }
}
