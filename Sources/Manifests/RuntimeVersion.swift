/// The version of a runtime, read by the rules of a scheme.
enum RuntimeVersion: Hashable, Sendable {
  case build(Int)
  case semver(SemanticPrecedence)
  case dotted([Int])
  case exact([UInt8])

  private static let maximumLength = 256

  /// Reads `text`, or what a runtime prints about itself (`version: 0.2.0-dev (build 10573, commit
  /// abc)`).
  ///
  /// Nil when the text says nothing in this scheme: it is empty, `unknown` or 0, or written in
  /// another scheme.
  init?(reading text: String, as scheme: RuntimeScheme) {
    let bytes = trimmed(Array(text.utf8)[...])
    guard !bytes.isEmpty, bytes.count <= Self.maximumLength else { return nil }
    guard !["unknown", "0"].contains(string(bytes.map(\.lowercase))) else { return nil }
    switch scheme {
    case .exact:
      self = .exact(Array(bytes))
    case .build:
      guard let number = Self.build(in: bytes) else { return nil }
      self = .build(number)
    case .semver:
      let word = Self.word(in: bytes)
      let text = word.first.map { $0 | 0x20 } == UInt8(ascii: "v") ? word.dropFirst() : word
      let version = text.prefix { $0 != UInt8(ascii: "+") }
      // A lone large number counts builds; as 10393.0.0 it would satisfy every minimum.
      guard !(version.count > 3 && version.allSatisfy(\.isDigit)),
        !version.elementsEqual("0".utf8),
        let precedence = try? SemanticPrecedence(Array(version), padding: true)
      else { return nil }
      self = .semver(precedence)
    case .dotted:
      guard let parts = Self.integers(in: Self.word(in: bytes)) else { return nil }
      self = .dotted(parts)
    }
  }

  /// The first word, without the label `version:` before it.
  private static func word(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    if rest.starts(with: "version:".utf8) { rest = trimmed(rest.dropFirst(8)) }
    return rest.prefix { $0 != UInt8(ascii: " ") }
  }

  /// The build number in `b10573-abc`, `10393 (abc)` or `0.2.0-dev (build 10573, commit abc)`.
  private static func build(in bytes: ArraySlice<UInt8>) -> Int? {
    let label = Array("(build ".utf8)
    let starts = bytes.indices.filter { bytes[$0...].starts(with: label) }
    if let start = starts.first {
      return buildNumber(bytes[(start + label.count)...].prefix { !",) ".utf8.contains($0) })
    }
    return buildNumber(word(in: bytes))
  }

  private static func buildNumber(_ word: ArraySlice<UInt8>) -> Int? {
    let body = word.first == UInt8(ascii: "b") ? word.dropFirst() : word
    let digits = body.prefix(while: \.isDigit)
    let rest = body[digits.endIndex...]
    guard digits.count <= 9, let number = decimal(digits), number > 0 else { return nil }
    guard let first = rest.first else { return number }
    let isSuffix = rest.dropFirst().allSatisfy {
      $0.isLetter || $0.isDigit || "._-".utf8.contains($0)
    }
    return first == UInt8(ascii: "-") && rest.count > 1 && isSuffix ? number : nil
  }

  /// The integers of `2026.4.1-22982-abc`; nil when letters are attached, as in `1.32rc1`.
  private static func integers(in word: ArraySlice<UInt8>) -> [Int]? {
    let numbers = word.prefix { !"-+".utf8.contains($0) }
    var parts: [Int] = []
    for part in numbers.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard parts.count < 16, let number = decimal(part) else { return nil }
      parts.append(number)
    }
    while parts.last == 0 { parts.removeLast() }
    return parts.isEmpty ? nil : parts
  }
}

extension RuntimeVersion: Comparable {
  /// Versions of different schemes are not comparable; nobody compares them.
  static func < (left: RuntimeVersion, right: RuntimeVersion) -> Bool {
    switch (left, right) {
    case (.build(let left), .build(let right)): left < right
    case (.semver(let left), .semver(let right)): left < right
    // Zeros at the end are cut, so a shorter list that agrees is the lower one.
    case (.dotted(let left), .dotted(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}

/// Without spaces, tabs and line ends at both ends.
func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let blanks = Array(" \t\r\n".utf8)
  var rest = bytes.drop(while: blanks.contains)
  while let last = rest.last, blanks.contains(last) { rest.removeLast() }
  return rest
}
