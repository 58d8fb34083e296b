/// Finds the value of a setting: a flag beats the environment, which beats the configuration.
///
/// The setting `limit-rate` is the flag `--limit-rate`, the variable `SEALIFT_LIMIT_RATE` and the configuration
/// member `limitRate`. An empty variable counts as absent. Values arrive as text and are parsed where they are used,
/// so an error names the place the text came from.
package struct Settings: Sendable {
  private let environment: [String: String]
  private let configuration: [String: String]
  private let explain: @Sendable (any Error) -> Diagnostic

  package init(
    environment: [String: String],
    configuration: [String: String] = [:],
    explain: @escaping @Sendable (any Error) -> Diagnostic = { Diagnostic(.usage, "\($0)") }
  ) {
    self.environment = environment
    self.configuration = configuration
    self.explain = explain
  }

  /// Returns `flag`, else what the environment or the configuration says, else nil: the caller's default stands.
  package func value<Value>(
    _ name: String,
    flag: Value?,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value? {
    if let flag { return flag }
    let variable = Self.variable(name)
    if let text = environment[variable], !text.isEmpty {
      return try parsed(text, from: variable, parse)
    }
    let member = Self.member(name)
    guard let text = configuration[member] else { return nil }
    return try parsed(text, from: "configuration member \(member)", parse)
  }

  /// Returns whether a setting that is on or off is on: the flag was given, or the text says so.
  package func isOn(_ name: String, flag: Bool) throws(UsageError) -> Bool {
    try value(name, flag: flag ? true : nil, parseSwitch) ?? false
  }

  /// The environment variable of a setting: `SEALIFT_LIMIT_RATE` for `limit-rate`.
  package static func variable(_ name: String) -> String {
    "SEALIFT_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// The configuration member of a setting: `limitRate` for `limit-rate`.
  package static func member(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private func parsed<Value>(
    _ text: String,
    from source: String,
    _ parse: (String) throws -> Value
  ) throws(UsageError) -> Value {
    do { return try parse(text) } catch { throw .value(of: source, error, explain: explain) }
  }
}
