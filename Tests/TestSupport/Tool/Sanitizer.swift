import Foundation

/// What finds wrong uses of memory in a build that was made for it.
package enum Sanitizer {
  /// Whether this process has one: it sets aside terabytes of addresses, and its memory is not that of the tool alone.
  package static let isActive: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmSize:") }
    let kilobytes = line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    return kilobytes > 1 << 30
  }()
}
