import Auditing
import CommandLineKit
import StrictJSON

/// A form in which an audit's report can be had: the one place where formats are told apart.
///
/// Each is a function of the report alone. To add one, write a case here and its bytes below; the help of the command,
/// its completion and the tests follow from the cases.
enum AuditFormat: String, CaseIterable, Sendable {
  /// For people, as wide as its longest cell.
  case text
  /// One document.
  case json
  /// One object a line.
  case ndjson
  /// For what shows results of static analysis.
  case sarif
  /// For what shows results of tests.
  case junit
  /// For spreadsheets.
  case csv
  /// For the textfile collector of Prometheus' node exporter.
  case prometheus
  /// One page for people, which stands by itself.
  case html

  /// The report in this format.
  func bytes(of report: AuditReport) -> [UInt8] {
    switch self {
    case .text: AuditPage(report).bytes
    case .json: JSONWriter.pretty(AuditDocument(report).value)
    case .ndjson: AuditDocument(report).lines.flatMap(Self.bytes)
    case .sarif: SarifLog(report).bytes
    case .junit: JUnitReport(report).bytes
    case .csv: CSVReport(report).bytes
    case .prometheus: MetricsReport(report).bytes
    case .html: HTMLReport(report).bytes
    }
  }

  private static func bytes(of line: AuditDocument.Line) -> [UInt8] {
    let members =
      [("event", JSONValue.string(line.event))] + line.members.map { ($0.name, $0.value) }
    return JSONWriter.compact(.object(JSONObject(uniqueMembers: members))) + [UInt8(ascii: "\n")]
  }
}
