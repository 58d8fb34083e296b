/// A port of 127.0.0.1 that refuses connections and stays so for as long as the value lives.
package final class DeadPort: Sendable {
  package let port: UInt16
  private let socket: Descriptor

  package init() throws(SupportError) {
    // Bound but not listening: nobody else gets the port, and the kernel refuses who connects. No mirror gets it later
    // either: an optimised build ends this value after its last use, which may be before the port is asked.
    (port, socket) = try FreePort.bound()
  }

  package var url: String { "http://127.0.0.1:\(port)" }
}
