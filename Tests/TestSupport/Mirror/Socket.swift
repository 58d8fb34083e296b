import CLinux
import Glibc

/// TCP sockets on 127.0.0.1, never waiting by themselves.
enum Socket {
  /// A socket bound to a port, any free one for 0; it refuses connections until it listens.
  static func bound(to port: UInt16 = 0) throws(SupportError) -> Descriptor {
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Descriptor(try check("socket") { Glibc.socket(AF_INET, kind, 0) })
    var address = loopback(port: port)
    try check("bind") {
      unsafe withSocketAddress(&address) { unsafe bind(socket.number, $0, $1) }
    }
    return socket
  }

  /// A socket bound to a free port that takes connections.
  static func listening() throws(SupportError) -> Descriptor {
    let socket = try bound()
    try check("listen") { listen(socket.number, SOMAXCONN) }
    return socket
  }

  /// A socket connected to a port of 127.0.0.1 that waits in its calls.
  static func connected(to port: UInt16) throws(SupportError) -> Descriptor {
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Descriptor(try check("socket") { Glibc.socket(AF_INET, kind, 0) })
    var address = loopback(port: port)
    try check("connect") {
      unsafe withSocketAddress(&address) { unsafe connect(socket.number, $0, $1) }
    }
    return socket
  }

  static func port(of socket: Descriptor) throws(SupportError) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try check("getsockname") {
      unsafe withSocketAddress(&address) { pointer, _ in
        unsafe getsockname(socket.number, pointer, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection that waits, nil if there is none.
  static func accept(from listener: Descriptor) -> Descriptor? {
    // Closed in children from the start: one that is just being spawned would keep the connection open.
    let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = CInt(linux_accept(listener.number, flags))
    guard number >= 0 else { return nil }
    let socket = Descriptor(number)
    var on: CInt = 1
    guard unsafe setsockopt(number, CInt(IPPROTO_TCP), TCP_NODELAY, &on, 4) == 0 else { return nil }
    return socket
  }

  /// Makes a listening socket refuse from now on, whoever still holds a copy of it.
  ///
  /// Closing alone does not: a child that is just being spawned has a copy of every descriptor until its program starts.
  static func refuse(_ listener: Descriptor) { shutdown(listener.number, CInt(SHUT_RDWR)) }

  /// Makes the coming close a reset, once the peer has all bytes or does not take them.
  static func prepareReset(_ socket: Descriptor, _ stop: StopSignal) {
    let deadline = ContinuousClock.now + .seconds(1)
    while unsentBytes(socket) > 0, ContinuousClock.now < deadline, !stop.isRaised {
      _ = stop.wait(for: nil, until: ContinuousClock.now + .milliseconds(1))
    }
    var option = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    unsafe setsockopt(socket.number, SOL_SOCKET, SO_LINGER, &option, size)
  }

  private static func unsentBytes(_ socket: Descriptor) -> CInt {
    var count: CInt = 0
    guard unsafe ioctl(socket.number, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
    return count
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    return address
  }

  private static func withSocketAddress(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
