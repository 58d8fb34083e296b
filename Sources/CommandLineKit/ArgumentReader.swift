/// Takes a command's arguments apart: options by name first, then operands in order, then ``finish()``.
///
/// An option's value is the next argument or follows `=`; a value that starts with `--` needs the `=`. What
/// follows a lone `--` is an operand, whatever it looks like; a lone `-` is always one. Arguments are compared as
/// UTF-8 bytes. The reader remembers what it was asked for, so a test can compare that with the help text.
package struct ArgumentReader: Sendable {
  /// An option that a command asked for.
  package struct AskedOption: Hashable, Sendable {
    package let name: String
    package let takesValue: Bool
    package let isRepeatable: Bool
  }

  var rest: [String]
  var afterTerminator: [String]
  private let explain: @Sendable (any Error) -> Diagnostic
  var hasReachedOperands = false

  package private(set) var askedOptions: [AskedOption] = []
  package internal(set) var askedOperands: [String] = []

  /// Creates a reader of `arguments`; `explain` puts a value parser's error into words.
  package init(
    _ arguments: [String],
    explain: @escaping @Sendable (any Error) -> Diagnostic = { Diagnostic(.usage, "\($0)") }
  ) {
    let end = arguments.firstIndex { $0.isSame(as: "--") } ?? arguments.endIndex
    rest = Array(arguments[..<end])
    afterTerminator = Array(arguments[end...].dropFirst())
    self.explain = explain
  }
}

extension ArgumentReader {
  /// What nobody has taken yet, as it was typed.
  package var untaken: [String] { rest + (afterTerminator.isEmpty ? [] : ["--"] + afterTerminator) }

  /// Takes the option `name` with its value, or returns nil when it is absent.
  ///
  /// Throws when the option is given twice, has no value, has an empty one although `allowsEmpty` is false,
  /// or when `parse` throws; the error names the option.
  package mutating func option<Value>(
    _ name: String,
    allowsEmpty: Bool = false,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value? {
    ask(name, takesValue: true, isRepeatable: false)
    guard let text = try takeValue(of: name, allowsEmpty: allowsEmpty) else { return nil }
    guard index(of: name) == nil else { throw UsageError("\(name) is given twice") }
    return try value(of: name, text, parse)
  }

  /// Takes the option `name` with its value, which must be there.
  package mutating func requiredOption<Value>(
    _ name: String,
    allowsEmpty: Bool = false,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value {
    guard let value = try option(name, allowsEmpty: allowsEmpty, parse) else {
      throw UsageError(
        "\(name) is missing",
        helps: slip(for: name).map { ["did you mean \(name) instead of \($0)?"] } ?? []
      )
    }
    return value
  }

  /// An option that is there and looks like `name` mistyped.
  private func slip(for name: String) -> String? {
    rest.lazy.filter { $0.utf8.first == UInt8(ascii: "-") }
      .map { String(decoding: $0.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
      .first { suggestion(for: $0, among: [name]) != nil }
  }

  /// Takes every option `name` with its value, in the order given.
  package mutating func options<Value>(
    _ name: String,
    allowsEmpty: Bool = false,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> [Value] {
    ask(name, takesValue: true, isRepeatable: true)
    var values: [Value] = []
    while let text = try takeValue(of: name, allowsEmpty: allowsEmpty) {
      values.append(try value(of: name, text, parse))
    }
    return values
  }

  /// Takes the flag `name`, returning whether it was there; repeating it changes nothing.
  package mutating func flag(_ name: String) throws(UsageError) -> Bool {
    ask(name, takesValue: false, isRepeatable: false)
    var isThere = false
    while let index = index(of: name) {
      guard rest[index].isSame(as: name) else { throw UsageError("\(name) takes no value") }
      rest.remove(at: index)
      isThere = true
    }
    return isThere
  }

  private mutating func ask(_ name: String, takesValue: Bool, isRepeatable: Bool) {
    precondition(!hasReachedOperands, "\(name) is asked for after an operand")
    let asked = AskedOption(name: name, takesValue: takesValue, isRepeatable: isRepeatable)
    askedOptions.append(asked)
  }

  private func index(of name: String) -> Int? {
    rest.firstIndex { $0.isSame(as: name) || $0.utf8.starts(with: "\(name)=".utf8) }
  }

  private mutating func takeValue(
    of name: String,
    allowsEmpty: Bool
  ) throws(UsageError) -> String? {
    guard let index = index(of: name) else { return nil }
    let argument = rest.remove(at: index)
    let text: String
    if !argument.isSame(as: name) {
      text = String(decoding: argument.utf8.dropFirst(name.utf8.count + 1), as: UTF8.self)
    } else if index < rest.count, !rest[index].utf8.starts(with: "--".utf8) {
      text = rest.remove(at: index)
    } else if index < rest.count {
      throw UsageError(
        "\(name) needs a value",
        helps: ["write \(name)=VALUE if the value starts with --"]
      )
    } else {
      throw UsageError("\(name) needs a value")
    }
    guard allowsEmpty || !text.isEmpty else { throw UsageError("\(name) has an empty value") }
    return text
  }

  func value<Value>(
    of source: String,
    _ text: String,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value {
    do { return try parse(text) } catch {
      throw .value(of: source, error, explain: explain)
    }
  }
}
