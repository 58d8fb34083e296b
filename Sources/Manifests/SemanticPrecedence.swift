/// The parts of a semantic version that decide its precedence (SemVer 2.0.0 §11).
struct SemanticPrecedence: Hashable, Sendable {
  /// Why a text is no semantic version.
  struct Refusal: Error {
    let fault: TextFault
  }

  /// Major, minor and patch, as digits.
  let core: [[UInt8]]
  /// The identifiers after the hyphen; none for a release.
  let prerelease: [[UInt8]]

  /// Reads `MAJOR.MINOR.PATCH[-PRERELEASE]`.
  ///
  /// With `padding`, a missing minor or patch number is 0, as in what runtimes say of themselves.
  init(_ bytes: [UInt8], padding: Bool = false) throws(Refusal) {
    let hyphen = bytes.firstIndex(of: UInt8(ascii: "-"))
    var core = Self.parts(bytes[..<(hyphen ?? bytes.endIndex)])
    if padding, core.count < 3 {
      core += Array(repeating: [UInt8(ascii: "0")], count: 3 - core.count)
    }
    guard core.count == 3 else {
      throw Refusal(fault: .badForm(expected: "MAJOR.MINOR.PATCH or MAJOR.MINOR.PATCH-PRERELEASE"))
    }
    for number in core { try Self.checkNumber(number, in: bytes) }
    self.core = core
    guard let hyphen else {
      prerelease = []
      return
    }
    prerelease = Self.parts(bytes[(hyphen + 1)...])
    for identifier in prerelease { try Self.checkIdentifier(identifier) }
  }

  private static func parts(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
  }

  private static func checkNumber(_ number: [UInt8], in bytes: [UInt8]) throws(Refusal) {
    guard let first = number.first else { throw Refusal(fault: .emptyPart) }
    guard number.allSatisfy(\.isDigit) else {
      throw Refusal(fault: .badForm(expected: "MAJOR.MINOR.PATCH or MAJOR.MINOR.PATCH-PRERELEASE"))
    }
    guard first != UInt8(ascii: "0") || number.count == 1 else {
      throw Refusal(fault: .leadingZero)
    }
  }

  private static func checkIdentifier(_ identifier: [UInt8]) throws(Refusal) {
    guard let first = identifier.first else { throw Refusal(fault: .emptyPart) }
    for byte in identifier where !(byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-")) {
      throw Refusal(fault: .badForm(expected: "letters, digits and hyphens in a pre-release"))
    }
    guard !identifier.allSatisfy(\.isDigit) || first != UInt8(ascii: "0") || identifier.count == 1
    else {
      throw Refusal(fault: .leadingZero)
    }
  }
}

extension SemanticPrecedence: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    for (one, other) in zip(left.core, right.core) where one != other {
      return isLess(number: one, than: other)
    }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    for (one, other) in zip(left.prerelease, right.prerelease) where one != other {
      return isLess(identifier: one, than: other)
    }
    return left.prerelease.count < right.prerelease.count
  }

  /// Compares digits without leading zeros.
  private static func isLess(number: [UInt8], than other: [UInt8]) -> Bool {
    number.count == other.count ? precedes(number, other) : number.count < other.count
  }

  private static func isLess(identifier: [UInt8], than other: [UInt8]) -> Bool {
    switch (identifier.allSatisfy(\.isDigit), other.allSatisfy(\.isDigit)) {
    case (true, true): isLess(number: identifier, than: other)
    case (true, false): true
    case (false, true): false
    case (false, false): precedes(identifier, other)
    }
  }
}
