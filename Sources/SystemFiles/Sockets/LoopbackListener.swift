import CLinux
import Glibc

/// A TCP socket on 127.0.0.1 that takes connections; no other machine reaches it.
package struct LoopbackListener: ~Copyable, Sendable {
  package let descriptor: CInt
  /// The port, also where the system chose it.
  package let port: UInt16

  deinit { close(descriptor) }

  /// Listens on `port`, or on one that the system chooses for 0.
  ///
  /// The corresponding C functions are `socket`, `bind` and `listen`.
  /// - Throws: `SystemError`, `EADDRINUSE` if somebody listens there.
  package init(port: UInt16) throws(SystemError) {
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = try check("socket") { socket(AF_INET, kind, 0) }
    do throws(SystemError) {
      self.port = try Self.listen(descriptor, port)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  private static func listen(_ descriptor: CInt, _ port: UInt16) throws(SystemError) -> UInt16 {
    var yes: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    try check("setsockopt") {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try unsafe withGenericAddress(&address) { generic throws(SystemError) in
      try check("bind") { unsafe bind(descriptor, generic, length) }
      try check("listen") { Glibc.listen(descriptor, 64) }
      try check("getsockname") { unsafe getsockname(descriptor, generic, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func withGenericAddress(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>) throws(SystemError) -> Void
  ) throws(SystemError) {
    try unsafe withUnsafeMutablePointer(to: &address) { pointer throws(SystemError) in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        generic throws(SystemError) in try unsafe body(generic)
      }
    }
  }

  /// Takes the next connection; nil if none waits.
  ///
  /// One that has gone meanwhile is none. The corresponding system call is `accept4`.
  package func accept() throws(SystemError) -> StreamSocket? {
    let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    do {
      let number = try checkLinux("accept4") { linux_accept(descriptor, flags) }
      return StreamSocket(descriptor: CInt(truncatingIfNeeded: number))
    } catch let error where [EAGAIN, EWOULDBLOCK, ECONNABORTED].contains(error.code) {
      return nil
    }
  }
}
