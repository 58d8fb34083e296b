/// How the publisher knows what the manifest says.
package enum Basis: String, Hashable, Sendable {
  /// Read from the bytes of the file. This is what a manifest means when it says nothing.
  case measured
  /// Taken from what somebody published, without seeing the file.
  case declared
}

/// What is known about the content of a file.
package struct FormatFacts: Hashable, Sendable {
  /// A fact beyond the common ones.
  package enum Fact: Hashable, Sendable {
    case integer(Int)
    case text(String)
    case list([String])
    /// Names with a number each, such as tensor types and how often they occur.
    case counts([String: Int])
  }

  /// The members of the format that have a meaning of their own, and no place in `more`.
  package static let commonNames = ["name", "version", "architecture", "types", "basis"]

  package let name: FormatName
  package let version: Int?
  package let architecture: String?
  /// The kinds of numbers in the file, such as `Q4_K` or `F32`.
  package let types: [String]
  /// Further facts by name, among them none of `commonNames`.
  package let more: [String: Fact]
  package let basis: Basis

  /// Takes facts; a name of `commonNames` in `more` is a mistake in the program and stops it.
  package init(
    name: FormatName,
    version: Int? = nil,
    architecture: String? = nil,
    types: [String] = [],
    more: [String: Fact] = [:],
    basis: Basis = .measured
  ) {
    precondition(Self.commonNames.allSatisfy { more[$0] == nil }, "a fact has one place")
    self.name = name
    self.version = version
    self.architecture = architecture
    self.types = types
    self.more = more
    self.basis = basis
  }
}
