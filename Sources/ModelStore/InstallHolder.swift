import Glibc
import StrictJSON

/// What a process says of itself that holds the install lock; it may be missing or out of date, so only messages and
/// waiting depend on it.
package struct InstallHolder: Hashable, Sendable {
  /// The length to which the note is filled up, so that a shorter one covers a longer one.
  private static let size = 512

  package let process: Int
  /// The version that is being installed.
  package let version: VersionName

  init?(bytes: [UInt8]) {
    guard let value = try? JSONReader.parse(bytes), case .object(let object) = value,
      case .integer(let process)? = object["process"], case .string(let name)? = object["version"],
      let version = VersionName(name)
    else { return nil }
    self.process = Int(process)
    self.version = version
  }

  init(of version: VersionName) {
    process = Int(getpid())
    self.version = version
  }

  var bytes: [UInt8] {
    let line = JSONWriter.compact([
      "process": .integer(Int64(process)), "version": .string(version.text),
    ])
    return line + [UInt8](repeating: UInt8(ascii: " "), count: max(0, Self.size - 1 - line.count))
      + [UInt8(ascii: "\n")]
  }
}
