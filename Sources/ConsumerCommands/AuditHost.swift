import Auditing
import Digests
import SystemFiles

extension AuditReport.Host {
  /// The machine on which this runs.
  ///
  /// The number of the machine is not to be told to others (machine-id(5)), so its digest with a word of ours stands in for it.
  static func current() -> AuditReport.Host {
    AuditReport.Host(
      name: text(at: "/proc/sys/kernel/hostname") ?? "unknown",
      id: text(at: "/etc/machine-id").map {
        String(SHA256Digest(of: Array("sealift audit \($0)".utf8)).hex.prefix(32))
      }
    )
  }

  private static func text(at path: String) -> String? {
    guard let bytes = (try? readFile(at: path, limit: 4096)).flatMap({ $0 }) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
