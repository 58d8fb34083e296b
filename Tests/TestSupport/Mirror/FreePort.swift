import Glibc
import Synchronization

/// Ports of 127.0.0.1 for servers that must be told one.
///
/// They lie below those that Linux gives to sockets that ask for any, so that neither a mirror nor the near end of a
/// connection takes one before the server has it.
enum FreePort {
  private static let ports = 20_000..<32_000
  private static let last = Atomic(Int.random(in: 0..<ports.count))

  /// One that nobody had a moment ago and that this process has not named lately.
  static func next() throws(SupportError) -> UInt16 { try bound().port }

  /// The same with a socket that keeps it for as long as it is held.
  static func bound() throws(SupportError) -> (port: UInt16, socket: Descriptor) {
    while true {
      let number = last.wrappingAdd(1, ordering: .relaxed).newValue
      let port = UInt16(ports.lowerBound + number % ports.count)
      do throws(SupportError) {
        return (port, try Socket.bound(to: port))
      } catch .failed(call: "bind", code: EADDRINUSE) {}
    }
  }
}
