import Digests
import Manifests

/// An audit as a table for spreadsheets (RFC 4180): a row for each finding, and one for each file without any.
///
/// Lines end with CR and LF, every cell stands between quotes, and the bytes are UTF-8 without a mark before them. A cell
/// that a spreadsheet would take for a formula has an apostrophe before it.
package struct CSVReport: Equatable, Sendable {
  /// The names of the columns, in the first row.
  static let columns = [
    "startedAt", "host", "model", "version", "folder", "file", "verdict", "axis", "severity",
    "expected", "actual", "note", "wrongChunks", "wrongBytes", "size", "sha256", "reading",
    "bytesHashed",
  ]

  package let bytes: [UInt8]

  package init(_ report: AuditReport) {
    var rows = [Self.columns]
    for model in report.models {
      let place = [report.startedAt.text, report.host.name, model.name.text]
      rows += model.findings.map { Self.row(place + ["", "", ""], $0, nil) }
      for version in model.versions {
        let place = place + [version.version.text, version.folder ?? ""]
        rows += version.findings.map { Self.row(place + [""], $0, nil) }
        for file in version.files {
          let place = place + [file.path]
          let findings = file.findings.isEmpty ? [AuditFinding(.ok)] : file.findings
          rows += findings.map { Self.row(place, $0, file) }
        }
      }
    }
    bytes = Array(rows.map(Self.line).joined().utf8)
  }

  private static func row(
    _ place: [String],
    _ finding: AuditFinding,
    _ file: AuditedFile?
  ) -> [String] {
    let ranges = finding.chunks.byteRanges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }
    return place + [
      finding.verdict.rawValue, finding.axis.rawValue,
      finding.verdict == .ok ? "" : finding.severity.rawValue,
      finding.expected ?? "", finding.actual ?? "", finding.note ?? "",
      finding.chunks.isEmpty ? "" : "\(finding.chunks.count)", ranges.joined(separator: " "),
      file?.signed.map { "\($0.size)" } ?? "", file?.signed?.sha256.hex ?? "",
      file?.reading.rawValue ?? "", file.map { "\($0.bytesHashed)" } ?? "",
    ]
  }

  private static func line(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",") + "\r\n"
  }

  private static func cell(_ text: String) -> String {
    var cell = "\""
    // A quote and a mark on it are one character, so each scalar is looked at.
    for scalar in harmless(visible(text)).unicodeScalars {
      if scalar == "\"" { cell.unicodeScalars.append(scalar) }
      cell.unicodeScalars.append(scalar)
    }
    return cell + "\""
  }

  /// Puts an apostrophe before what a spreadsheet would compute: after spaces too, and in the wide forms of the signs.
  static func harmless(_ text: String) -> String {
    guard let first = text.unicodeScalars.first(where: { $0 != " " }),
      "=+-@|%\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{2212}".unicodeScalars.contains(first)
    else { return text }
    return "'" + text
  }
}
