package import Manifests

/// Which versions of a model are wanted, as in `MODEL@RANGE`.
///
///     1.2.0            this version
///     1, 1.2           every version 1.x.y, 1.2.x, pre-releases of them included
///     1.2.0..1.4.0     from one to the other by precedence, both included; either end may be left out
package enum ReleaseRange: Hashable, Sendable {
  case any
  case exactly(Version)
  /// The first numbers of a version, with a dot at the end.
  case beginning(String)
  case between(Version?, Version?)

  /// Reads a range; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    if let split = bytes.indices.first(where: { bytes[$0...].starts(with: "..".utf8) }) {
      self = try Self.between(bytes[..<split], bytes[(split + 2)...], text)
      return
    }
    let numbers = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if numbers.count < 3, numbers.allSatisfy(Self.isNumber) {
      self = .beginning(text + ".")
      return
    }
    guard numbers.count >= 3 else {
      throw .text(TextProblem(.versionRange, text, .badForm(expected: Self.form)))
    }
    self = .exactly(try Version(text))
  }

  package func contains(_ version: Version) -> Bool {
    switch self {
    case .any: true
    case .exactly(let wanted): version == wanted
    case .beginning(let numbers): version.text.utf8.starts(with: numbers.utf8)
    case .between(let lower, let upper):
      lower.map { $0 <= version } ?? true && upper.map { version <= $0 } ?? true
    }
  }

  private static func between(
    _ lower: ArraySlice<UInt8>,
    _ upper: ArraySlice<UInt8>,
    _ text: String
  ) throws(ManifestError) -> ReleaseRange {
    guard !lower.isEmpty || !upper.isEmpty else {
      throw .text(TextProblem(.versionRange, text, .badForm(expected: form)))
    }
    let ends: (Version?, Version?)
    do throws(ManifestError) { ends = (try end(lower), try end(upper)) } catch {
      throw .text(TextProblem(.versionRange, text, .badForm(expected: form)))
    }
    if let low = ends.0, let high = ends.1, high < low {
      throw .text(TextProblem(.versionRange, text, .emptyRange))
    }
    return .between(ends.0, ends.1)
  }

  private static let form =
    "a version such as 1.2.0, its first numbers such as 1 or 1.2, or FROM..TO, FROM.. or ..TO with versions such as 1.2.0"

  private static func end(_ bytes: ArraySlice<UInt8>) throws(ManifestError) -> Version? {
    bytes.isEmpty ? nil : try Version(String(decoding: bytes, as: UTF8.self))
  }

  private static func isNumber(_ part: ArraySlice<UInt8>) -> Bool {
    !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && (part.count == 1 || part.first != UInt8(ascii: "0"))
  }
}

extension ReleaseRange: CustomStringConvertible {
  /// The range as it is typed; empty for any version.
  package var description: String {
    switch self {
    case .any: ""
    case .exactly(let version): version.text
    case .beginning(let numbers): String(numbers.dropLast())
    case .between(let lower, let upper): "\(lower?.text ?? "")..\(upper?.text ?? "")"
    }
  }
}

/// What a person wants of a model: a channel and a range.
package struct ReleaseDemand: Hashable, Sendable {
  /// The channel; nil for any release, in whatever channel.
  package let channel: ChannelName?
  package let range: ReleaseRange

  package init(channel: ChannelName?, range: ReleaseRange) {
    (self.channel, self.range) = (channel, range)
  }

  package func admits(_ entry: ReleaseEntry) -> Bool {
    (channel.map { entry.channels.contains($0) } ?? true) && range.contains(entry.version)
  }
}
