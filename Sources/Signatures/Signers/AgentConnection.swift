import Glibc
import SystemFiles

/// A connection to an SSH agent, over which one message follows the other.
///
/// Every wait ends when the task is cancelled. What the agent sends is bounded before it is read.
struct AgentConnection: ~Copyable {
  /// How long a look takes while nothing happens, in milliseconds.
  private static let pause: CInt = 50
  private static let receiving = CInt(MSG_DONTWAIT)
  /// An agent that is gone is an error, and no signal.
  private static let sending = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)

  private let socket: CInt

  deinit { close(socket) }

  /// Takes over a connected socket.
  init(socket: CInt) { self.socket = socket }

  /// Connects to the agent whose socket is at `path`; the corresponding C function is `connect`.
  ///
  /// - Throws: ``SignerError/agentUnreachable(_:)``, ``SignerError/agentSilent(seconds:)`` where it took no connection
  ///   within `patience`, `CancellationError`.
  init(path: String, within patience: Duration) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0) else { throw Self.unreachable(EINVAL, path) }
    let room = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      let fits = bytes.count < room.count
      if fits { unsafe room.copyBytes(from: bytes) }
      return fits
    }
    guard room else { throw Self.unreachable(ENAMETOOLONG, path) }
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = Glibc.socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw Self.unreachable(errno, path) }
    let connection = AgentConnection(socket: number)
    try connection.connect(to: address, path, Wait(patience))
    self = connection
  }

  private func connect(to address: sockaddr_un, _ path: String, _ wait: Wait) throws {
    while true {
      let result = unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe Glibc.connect(socket, address, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if result == 0 { return }
      // As many connections wait for the agent as it lets wait.
      guard errno == EAGAIN || errno == EINTR else { throw Self.unreachable(errno, path) }
      try wait.check()
      usleep(50_000)
    }
  }

  private static func unreachable(_ code: CInt, _ path: String) -> SignerError {
    .agentUnreachable(SystemError("connect", code: code, path: path))
  }

  /// Sends a message and waits for what the agent says to it.
  ///
  /// - Parameters:
  ///   - message: The message with its length.
  ///   - request: What it asks for, for the errors.
  ///   - patience: How long the agent may take; nil for as long as it likes, since it may have to ask a person.
  /// - Returns: The answer without its length.
  /// - Throws: ``SignerError``, `CancellationError`.
  func answer(
    to message: [UInt8],
    _ request: SignerError.Request,
    within patience: Duration? = nil
  ) throws -> [UInt8] {
    let wait = Wait(patience)
    var done = 0
    while done < message.count {
      try wait.once(for: POLLOUT, on: socket, Self.pause)
      let count = unsafe message.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress?.advanced(by: done)
        return unsafe send(socket, start, buffer.count - done, Self.sending)
      }
      if count >= 0 { done += count } else { try Self.recover(request) }
    }
    let head = try read(4, request, wait)
    let count = head.reduce(0) { $0 << 8 | Int($1) }
    guard count <= AgentProtocol.limit else {
      throw SignerError.agentAnswerTooLong(found: count, limit: AgentProtocol.limit)
    }
    return try read(count, request, wait)
  }

  private func read(_ count: Int, _ request: SignerError.Request, _ wait: Wait) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      try wait.once(for: POLLIN, on: socket, Self.pause)
      let found = unsafe bytes.withUnsafeMutableBytes { buffer in
        let start = unsafe buffer.baseAddress?.advanced(by: done)
        return unsafe recv(socket, start, count - done, Self.receiving)
      }
      if found == 0 { throw SignerError.agentClosed(request) }
      if found > 0 { done += found } else { try Self.recover(request) }
    }
    return bytes
  }

  /// Goes on after a call that only has to be made again.
  private static func recover(_ request: SignerError.Request) throws {
    guard errno == EAGAIN || errno == EINTR else { throw SignerError.agentClosed(request) }
  }
}

/// How long an agent is waited for.
private struct Wait {
  private let patience: Duration?
  private let start = ContinuousClock.now

  init(_ patience: Duration?) { self.patience = patience }

  /// Waits until the socket is ready, a little at a time.
  ///
  /// Looks at the task and the clock each time: an agent may be ready again and again, with a byte.
  func once(for event: CInt, on socket: CInt, _ pause: CInt) throws {
    var wait = pollfd(fd: socket, events: Int16(event), revents: 0)
    repeat { try check() } while unsafe poll(&wait, 1, pause) <= 0
  }

  /// Throws where the task is cancelled, or the patience is over.
  func check() throws {
    try Task.checkCancellation()
    guard let patience, start.duration(to: .now) >= patience else { return }
    throw SignerError.agentSilent(seconds: Int(patience.components.seconds))
  }
}
