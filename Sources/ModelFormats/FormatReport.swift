package import Manifests

/// What a parser found in one file.
///
/// A parser fills it from front to back and throws at the first fault, so that what it learnt before
/// stays.
package struct FormatReport: Equatable, Sendable {
  package let format: ModelFormat

  // Facts that the manifest repeats.
  package var version: Int?
  package var architecture: String?
  /// The kinds of numbers in the file, in any order.
  package var types: Set<String> = []
  package private(set) var more: [String: FormatFacts.Fact] = [:]

  /// Why the file must be neither published nor activated; nil if it is well-formed.
  package var fault: FormatFault?
  /// What this program is too old, or not made, to check; refuses unless a person agrees.
  package private(set) var unverified: [StructureFault] = []
  /// What is allowed and seldom meant.
  package private(set) var warnings: [StructureFault] = []

  /// Why loading the file can run code that is in it, or beside it; nil if it can't.
  ///
  /// It refuses unless a person agrees. What no person should agree to is a fault.
  package var runsCode: String?

  /// What can load the file, any one of which is enough; empty if the bytes tell no minimum.
  ///
  /// Where something is unknown to runtimes too, these are the least that is needed, and may not be enough.
  package var runtimes: [RuntimeRequirement] = []
  /// Why the bytes tell no minimum, such as `architecture qwen4exp`.
  package var unknownToRuntimes: [String] = []

  /// What exactly the file was built for, so that nothing else loads it; nil for all but a few formats.
  package var binding: RuntimeBinding?

  /// What the file says about its licence, as it says it.
  package private(set) var licenses: [String] = []
  /// Where chunks should begin: at the tensor data and at each tensor, ascending.
  package var edges = TensorEdges()
  /// What the file demands of the other files of its release.
  package var links: [FileLink] = []

  init(_ format: ModelFormat) { self.format = format }
}

extension FormatReport {
  /// The facts as a manifest holds them, with what somebody has to agree to.
  package var facts: FormatFacts {
    var more = more
    if let runsCode { more[Self.codeFact] = .text(runsCode) }
    let codes = Set(unverified.map(\.code.rawValue))
    if !codes.isEmpty { more[Self.unverifiedFact] = .list(codes.sorted()) }
    return FormatFacts(
      name: format.name,
      version: version,
      architecture: architecture,
      types: types.sorted(),
      more: more
    )
  }

  /// The fact that says why loading the file can run code.
  static let codeFact = "runsCode"
  /// The fact that lists the codes of what the publisher's program could not check.
  static let unverifiedFact = "unverified"

  private static let maximumTextLength = 256
  private static let maximumListCount = 256
  private static let maximumFindings = 16

  /// Notes a text; one that is longer than 256 bytes or no plain text is left out.
  mutating func note(_ name: String, text bytes: some Collection<UInt8>) {
    if let text = plainText(bytes, limit: Self.maximumTextLength) { more[name] = .text(text) }
  }

  mutating func note(_ name: String, text: String?) {
    if let text { note(name, text: Array(text.utf8)) }
  }

  /// Notes a number; one that a manifest can't hold is left out.
  mutating func note(_ name: String, _ value: (some BinaryInteger)?) {
    guard let value, let number = Int(exactly: value),
      (0...FileEntry.maximumSize).contains(number)
    else { return }
    more[name] = .integer(number)
  }

  /// Notes texts in their order, the first 256 of them; an empty list is left out.
  mutating func note(_ name: String, list: [String]) {
    let texts = list.compactMap { plainText(Array($0.utf8), limit: Self.maximumTextLength) }
    if !texts.isEmpty { more[name] = .list(Array(texts.prefix(Self.maximumListCount))) }
  }

  /// Notes how often each name occurs, at most 256 of them in the order of the names.
  mutating func note(_ name: String, counts: [String: Int]) {
    let known = counts.filter { plainText(Array($0.key.utf8), limit: 64) != nil && $0.value >= 0 }
    guard !known.isEmpty else { return }
    let kept = known.sorted { $0.key < $1.key }.prefix(Self.maximumListCount)
    more[name] = .counts(Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) }))
  }

  /// Notes what a licence field says; a text of several lines by its first.
  mutating func note(license bytes: some Collection<UInt8>) {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard let text = plainText(line, limit: 512), !text.isEmpty else { return }
    licenses.append(text)
  }

  /// Adds a warning; the first 16 are enough to act on.
  mutating func warn(
    _ code: FaultCode,
    at offset: Int,
    _ subject: String,
    expected: String,
    found: String
  ) {
    guard warnings.count < Self.maximumFindings else { return }
    warnings.append(StructureFault(code, at: offset, subject, expected: expected, found: found))
  }

  /// Adds a fault as a warning; throws on what is none of the structure.
  mutating func warn(insteadOf stop: FormatStop) throws(FormatStop) {
    guard case .fault(.structure(let fault)) = stop else { throw stop }
    guard warnings.count < Self.maximumFindings else { return }
    warnings.append(fault)
  }

  /// Adds what can't be checked; the first 16 are enough to act on.
  mutating func leaveUnverified(
    _ code: FaultCode,
    at offset: Int,
    _ subject: String,
    expected: String,
    found: String
  ) {
    guard unverified.count < Self.maximumFindings else { return }
    unverified.append(StructureFault(code, at: offset, subject, expected: expected, found: found))
  }
}
