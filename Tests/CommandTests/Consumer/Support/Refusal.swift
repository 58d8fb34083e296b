import TestSupport
import Testing

extension ToolOutcome {
  /// The lines of standard error from the first error on, warnings and news before it left out.
  var errorLines: [String] {
    errors.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("error: ") }.map { $0 }
  }

  /// Expects one error with this exit code and message, in the form of the design, and no result.
  func expectRefusal(
    _ exit: Int,
    _ message: String,
    note: String? = nil,
    help: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = errorLines
    #expect(ending == .exited(exit), "\(errors)", sourceLocation: sourceLocation)
    #expect(lines.first == "error: \(message)", "\(errors)", sourceLocation: sourceLocation)
    for line in lines.dropFirst() {
      #expect(
        line.hasPrefix("  note: ") || line.hasPrefix("  help: "),
        "\(errors)",
        sourceLocation: sourceLocation
      )
    }
    if let note {
      #expect(
        lines.contains { $0.hasPrefix("  note: \(note)") },
        "\(errors)",
        sourceLocation: sourceLocation
      )
    }
    if let help {
      #expect(
        lines.contains { $0.hasPrefix("  help: \(help)") },
        "\(errors)",
        sourceLocation: sourceLocation
      )
    }
    #expect(output.isEmpty, sourceLocation: sourceLocation)
  }
}
