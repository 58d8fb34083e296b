package import SystemFiles

/// Why a file could not be hashed to its end.
package enum DigestError: Error, Hashable, Sendable {
  case unreadable(SystemError)
  /// The file grew or shrank while it was read.
  case sizeChanged(from: Int, to: Int)
  /// The caller's `report` said to stop.
  case cancelled

  static func wrap<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(DigestError) -> Value {
    do {
      return try body()
    } catch {
      throw .unreadable(error)
    }
  }
}
