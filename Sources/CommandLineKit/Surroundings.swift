import Glibc

/// The world around a tool: its arguments and environment, and where its output goes.
package struct Surroundings: Sendable {
  package var arguments: [String]
  package var environment: [String: String]
  package var output: any OutputSink
  package var errors: any OutputSink
  package var isErrorTerminal: Bool
  package var interruption: Interruption
  /// Takes a secret variable out of the world; nil where ``environment`` holds them too.
  package var takeVariable: (@Sendable (String) -> [UInt8]?)?

  package init(
    arguments: [String],
    environment: [String: String] = [:],
    output: any OutputSink,
    errors: any OutputSink,
    isErrorTerminal: Bool = false,
    interruption: Interruption = Interruption()
  ) {
    self.arguments = arguments
    self.environment = environment
    self.output = output
    self.errors = errors
    self.isErrorTerminal = isErrorTerminal
    self.interruption = interruption
  }

  /// The console that `globals` ask for here; `NO_COLOR` wins over every other wish for colour.
  func console(_ globals: GlobalOptions, explainedBy table: CommandTable? = nil) -> Console {
    let isDumb = environment["TERM"] == "dumb"
    var style = Console.Style()
    style.isJSON = globals.isJSON
    if let table, !table.group(["explain"]).isEmpty {
      style.explainer = "\(table.tool) explain"
      style.explainedKinds = Set(table.pages.map(\.kind))
    }
    style.verbosity = globals.verbosity
    style.hasColor =
      switch globals.color {
      case _ where !(environment["NO_COLOR"] ?? "").isEmpty: false
      case .always: true
      case .never: false
      case .auto: isErrorTerminal && !isDumb
      }
    style.progress =
      if globals.verbosity == .quiet {
        .silent
      } else if globals.isJSON {
        .events
      } else {
        isErrorTerminal && !isDumb ? .terminal : .log
      }
    return Console(style: style, output: output, errors: errors)
  }
}
