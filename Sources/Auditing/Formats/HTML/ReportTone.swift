/// How something stands, told by a word, a shape and a colour.
enum ReportTone: String, Comparable {
  case good
  /// Nobody looked, or not everywhere.
  case idle
  case care
  case bad

  private var rank: Int {
    switch self {
    case .good: 0
    case .idle: 1
    case .care: 2
    case .bad: 3
    }
  }

  static func < (one: ReportTone, other: ReportTone) -> Bool { one.rank < other.rank }

  /// The tone of a finding.
  init(_ severity: AuditSeverity) {
    self =
      switch severity {
      case .note: .idle
      case .warning: .care
      case .error: .bad
      }
  }

  /// The tone of several findings; good where there are none.
  init(of findings: [AuditFinding]) {
    self = findings.map { ReportTone($0.severity) }.max() ?? .good
  }

  /// A shape that is another one for each tone: a disc with a tick, a ring with a line, a triangle, an octagon.
  func icon(size: Int) -> String {
    "<svg class=\"icon\" width=\"\(size)\" height=\"\(size)\" viewBox=\"0 0 16 16\" aria-hidden=\"true\">\(shape)</svg>"
  }

  private var shape: String {
    switch self {
    case .good:
      "<circle class=\"ink\" cx=\"8\" cy=\"8\" r=\"7.5\"/><path class=\"mark\" d=\"M4.4 8.3l2.4 2.4 4.8-5\"/>"
    case .idle:
      "<circle class=\"rim\" cx=\"8\" cy=\"8\" r=\"6.7\"/><path class=\"rim\" d=\"M4.8 8h6.4\"/>"
    case .care:
      "<path class=\"ink\" d=\"M8 .8l7.7 14.1H.3z\"/><path class=\"mark\" d=\"M8 6v4\"/>"
        + "<circle class=\"dot\" cx=\"8\" cy=\"12.4\" r=\"1.1\"/>"
    case .bad:
      "<path class=\"ink\" d=\"M5 .5h6L15.5 5v6L11 15.5H5L.5 11V5z\"/>"
        + "<path class=\"mark\" d=\"M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4\"/>"
    }
  }
}

extension MarkupText {
  /// Writes a word with the shape of its tone before it.
  mutating func writeBadge(_ tone: ReportTone, _ text: String) {
    write("span", ["class": "badge \(tone.rawValue)"]) { html in
      html.write(markup: tone.icon(size: 14))
      html.write(text: text)
    }
  }

  /// Writes a term and what it stands for.
  mutating func writeFact(_ name: String, _ value: String, isCode: Bool = false) {
    write("div") { html in
      html.write("dt", [:], name)
      html.write("dd") { html in
        if isCode { html.write("code", [:], value) } else { html.write(text: value) }
      }
    }
  }
}
