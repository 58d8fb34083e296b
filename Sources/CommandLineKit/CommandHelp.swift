/// What the help of a command says, as data: help pages are rendered from it, and tests compare it with what the
/// command reads.
package struct CommandHelp: Equatable, Sendable {
  package let operands: [OperandHelp]
  package let options: [OptionHelp]
  /// Paragraphs that follow the tables.
  package let details: [String]
  package let examples: [ExampleHelp]
  /// What stands after the command's words in the usage line, where the rendered one would not do.
  package let usage: String?
  /// What a person does after an interruption to go on.
  package let goingOn: String

  package init(
    operands: [OperandHelp] = [],
    options: [OptionHelp] = [],
    details: [String] = [],
    examples: [ExampleHelp],
    usage: String? = nil,
    goingOn: String = "run the same command again"
  ) {
    self.operands = operands
    self.options = options
    self.details = details
    self.examples = examples
    self.usage = usage
    self.goingOn = goingOn
  }
}

/// An argument that is known by its place.
package struct OperandHelp: Equatable, Sendable {
  /// How many arguments an operand stands for.
  package enum Arity: Equatable, Sendable {
    case one, optional, any, atLeastOne
    /// Everything after `--`.
    case trailing
  }

  /// The word in capitals that stands for it.
  package let name: String
  package let arity: Arity
  /// What may stand there; told by the word in capitals unless stated.
  package let accepts: ValueForm
  package let summary: String

  package init(
    _ name: String,
    arity: Arity = .one,
    accepts: ValueForm? = nil,
    _ summary: String
  ) {
    self.name = name
    self.arity = arity
    self.accepts = accepts ?? ValueForm(placeholder: name)
    self.summary = summary
  }

  /// The operand as the usage line shows it: `MODEL`, `[MODEL]`, `PATH...`, `-- COMMAND...`.
  package var usage: String {
    switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .any: "[\(name)...]"
    case .atLeastOne: "\(name)..."
    case .trailing: "-- \(name)..."
    }
  }
}

/// An argument that is known by its name.
package struct OptionHelp: Equatable, Sendable {
  /// How often an option is given.
  package enum Occurrence: Equatable, Sendable {
    case optional, required, repeatable, repeatedAtLeastOnce
  }

  /// The name with its dashes.
  package let name: String
  /// The word in capitals that stands for the value; nil for a flag.
  package let value: String?
  package let occurrence: Occurrence
  /// What the value may be; told by the word in capitals unless stated.
  package let accepts: ValueForm
  package let summary: String

  package init(
    _ name: String,
    value: String? = nil,
    occurrence: Occurrence = .optional,
    accepts: ValueForm? = nil,
    _ summary: String
  ) {
    self.name = name
    self.value = value
    self.occurrence = occurrence
    self.accepts = accepts ?? value.map(ValueForm.init(placeholder:)) ?? .text
    self.summary = summary
  }

  /// Whether a command line without the option is refused.
  package var isRequired: Bool { occurrence == .required || occurrence == .repeatedAtLeastOnce }

  /// Whether the option may be given several times.
  package var isRepeatable: Bool { occurrence == .repeatable || occurrence == .repeatedAtLeastOnce }

  /// The name with its value: `--model MODEL`.
  package var form: String { value.map { "\(name) \($0)" } ?? name }
}

/// A command line that works, and what it does.
package struct ExampleHelp: Equatable, Sendable {
  /// The whole line, the tool's name first; a test reads it as the command would.
  package let line: String
  package let summary: String

  package init(_ line: String, _ summary: String) {
    self.line = line
    self.summary = summary
  }
}
