extension ArgumentReader {
  /// Takes the next operand, which must be there; `name` is its word in the help, such as `MODEL`.
  package mutating func operand<Value>(
    _ name: String,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value {
    guard let value = try optionalOperand(name, parse) else {
      throw UsageError("\(name) is missing")
    }
    return value
  }

  /// Takes the next operand, or returns nil when none is left.
  package mutating func optionalOperand<Value>(
    _ name: String,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value? {
    try reachOperands(name)
    return try nextOperand(name, parse)
  }

  /// Takes all operands that are left, at least `minimum`.
  package mutating func operands<Value>(
    _ name: String,
    atLeast minimum: Int = 0,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> [Value] {
    try reachOperands(name)
    var values: [Value] = []
    while let value = try nextOperand(name, parse) { values.append(value) }
    guard values.count >= minimum else { throw UsageError("\(name) is missing") }
    return values
  }

  /// Takes what follows `--` exactly as it is, empty arguments too: another program's command line.
  package mutating func trailing(_ name: String) throws(UsageError) -> [String] {
    try reachOperands(name)
    defer { afterTerminator = [] }
    return afterTerminator
  }

  /// Ends the reading; throws when an argument is left over.
  package mutating func finish() throws(UsageError) {
    try refuseUnknownOptions()
    guard let extra = rest.first ?? afterTerminator.first else { return }
    throw UsageError("unexpected argument \(quoted(extra))")
  }

  private mutating func reachOperands(_ name: String) throws(UsageError) {
    askedOperands.append(name)
    try refuseUnknownOptions()
    hasReachedOperands = true
  }

  private mutating func nextOperand<Value>(
    _ name: String,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value? {
    let text: String
    if !rest.isEmpty {
      text = rest.removeFirst()
      guard !startsWithLongDash(text) else {
        throw UsageError(
          "\(quoted(text)) starts with a dash that is not -",
          helps: ["type the dash, or put -- before an operand that starts so"]
        )
      }
    } else if !afterTerminator.isEmpty {
      text = afterTerminator.removeFirst()
    } else {
      return nil
    }
    guard !text.isEmpty else { throw UsageError("\(name) is empty") }
    return try value(of: name, text, parse)
  }

  private func refuseUnknownOptions() throws(UsageError) {
    let looksLikeOption = { (text: String) in
      text.utf8.first == UInt8(ascii: "-") && text.utf8.count > 1
    }
    guard let unknown = rest.first(where: looksLikeOption) else { return }
    throw .unknownOption(unknown, known: askedOptions.map(\.name))
  }

  private func startsWithLongDash(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return ("\u{2010}"..."\u{2015}").contains(first) || first == "\u{2212}"
  }
}

extension UsageError {
  /// The error about an `argument` that looks like an option but is none of the `known` ones.
  static func unknownOption(_ argument: String, known: [String]) -> UsageError {
    let bytes = argument.utf8.prefix { $0 != UInt8(ascii: "=") }
    let name = String(decoding: bytes, as: UTF8.self)
    guard !name.isSame(as: "--") else {
      return UsageError("\(quoted(argument)) is an option without a name")
    }
    let near = suggestion(for: name, among: known)
    return UsageError("unknown option \(name)", helps: near.map { ["did you mean \($0)?"] } ?? [])
  }
}
