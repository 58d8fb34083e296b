import CommandLineKit
import StrictJSON
import Transfers

/// What each mirror did in a fetch, one line a mirror.
struct MirrorReport {
  private let report: FetchReport

  init(_ report: FetchReport) { self.report = report }

  /// The lines for people.
  var lines: [String] {
    report.mirrors.map { mirror in
      var line = "\(mirror.name): \(exactBytesText(mirror.goodBytes)) right"
      if mirror.wastedBytes > 0 { line += ", \(exactBytesText(mirror.wastedBytes)) wasted" }
      for (kind, count) in mirror.faults.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        line += ", \(kind.rawValue) × \(count)"
      }
      if let fault = mirror.lastFault { line += "; last: \(fault)" }
      return line
    }
  }

  /// Tells a verbose run, and JSON.
  func tell(_ console: Console) {
    for line in lines { console.detail(line) }
    for mirror in report.mirrors { console.event("mirror", members(of: mirror)) }
  }

  private func members(of mirror: FetchReport.Mirror) -> JSONObject {
    let faults = mirror.faults.map { ($0.key.rawValue, JSONValue.integer(Int64($0.value))) }
    return [
      "mirror": .string(mirror.name), "goodBytes": .integer(Int64(mirror.goodBytes)),
      "wastedBytes": .integer(Int64(mirror.wastedBytes)),
      "faults": .object(JSONObject(uniqueMembers: faults.sorted { $0.0 < $1.0 })),
    ]
  }
}
