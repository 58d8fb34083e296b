import CommandLineKit
import Manifests
import ModelFormats
import StrictJSON

/// What `inspect` shows of one file.
struct InspectionPage {
  private let inspection: FileInspection
  private let place: String

  init(_ inspection: FileInspection, at place: String) {
    self.inspection = inspection
    self.place = place
  }

  private var format: FormatFacts { inspection.format }
  private var report: FormatReport { inspection.report }

  var lines: [String] {
    var facts = [
      ("file", place),
      ("size", exactBytesText(inspection.size)),
      (
        "format",
        [format.name.text, format.version.map(String.init)].compactMap(\.self)
          .joined(separator: " ")
      ),
      ("role", inspection.role.text),
    ]
    if let entry = inspection.entryPoint { facts.append(("load", entry.fileName)) }
    if let architecture = format.architecture { facts.append(("architecture", architecture)) }
    if !format.types.isEmpty { facts.append(("types", format.types.joined(separator: " "))) }
    facts += format.more.sorted { $0.key < $1.key }.map { ($0.key, $0.value.words) }
    facts += report.runtimes.map { ("needs", $0.description) }
    facts += report.unknownToRuntimes.map { ("needs", "unknown: \($0)") }
    facts += report.warnings.map { ("warning", $0.description) }
    facts += report.unverified.map { ("unchecked", $0.description) }
    facts.append(("verdict", verdict))
    return facts.map(Self.line)
  }

  private var verdict: String {
    if let problem = inspection.problem { return problem.text }
    if !report.unverified.isEmpty { return "not checked in full" }
    return inspection.kind == .other ? "nothing is known about the content" : "sound"
  }

  private static func line(_ name: String, _ text: String) -> String {
    let gap = String(repeating: " ", count: max(1, 18 - name.utf8.count))
    return "\(name)\(gap)\(escaped(text))"
  }

  var members: JSONObject {
    var members: JSONObject = [
      "path": .string(place), "size": .integer(Int64(inspection.size)),
      "role": .string(inspection.role.text), "format": .object(format.members),
      "runtimes": .array(report.runtimes.map { .object($0.members) }),
      "unknownToRuntimes": .array(report.unknownToRuntimes.map { .string($0) }),
      "warnings": .array(report.warnings.map { .object($0.members) }),
      "unverified": .array(report.unverified.map { .object($0.members) }),
      "edges": .integer(Int64(report.edges.offsets.count)),
    ]
    members["entryPoint"] = inspection.entryPoint.map { .string($0.fileName) }
    members["problem"] = inspection.problem.map { .object($0.members) }
    return members
  }
}

extension FormatFacts {
  fileprivate var members: JSONObject {
    var members: JSONObject = ["name": .string(name.text)]
    members["version"] = version.map { .integer(Int64($0)) }
    members["architecture"] = architecture.map { .string($0) }
    if !types.isEmpty { members["types"] = .array(types.map { .string($0) }) }
    for (name, fact) in more.sorted(by: { $0.key < $1.key }) { members[name] = fact.value }
    return members
  }
}

extension StructureFault {
  fileprivate var members: JSONObject {
    [
      "code": .string(code.rawValue), "offset": .integer(Int64(offset)),
      "subject": .string(subject), "expected": .string(expected), "found": .string(found),
    ]
  }
}

extension FormatProblem {
  var members: JSONObject {
    var members: JSONObject =
      switch fault {
      case .structure(let fault), .unverified(let fault): fault.members
      default: ["code": .string(fault.code)]
      }
    members["path"] = .string(file.text)
    members["message"] = .string(text)
    return members
  }
}
