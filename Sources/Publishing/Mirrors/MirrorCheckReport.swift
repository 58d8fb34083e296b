package import Manifests

/// What a check of mirrors found.
package struct MirrorCheckReport: Equatable, Sendable {
  /// The mirrors in the order in which they were named.
  package var mirrors: [MirrorOutcome]

  /// Whether no mirror gave any answer.
  package var isSilent: Bool { mirrors.allSatisfy { !$0.isReached } }

  /// The findings of all mirrors.
  package var findings: [MirrorFinding] { mirrors.flatMap(\.findings) }
}

/// One problem, and where it shows.
package struct MirrorFinding: Hashable, Sendable {
  package let mirror: MirrorTemplate
  package let file: RelativePath
  /// The URL without what may be secret in it.
  package let url: String
  package let problem: MirrorProblem
}

/// What one mirror did.
package struct MirrorOutcome: Equatable, Sendable {
  package let mirror: MirrorTemplate
  /// What there is to say about its URLs, whatever it serves.
  package let advice: [MirrorAdvice]
  /// The files that were asked for, and those that were not: it gave no answer, or asked to be left alone.
  package var askedFiles = 0
  package var skippedFiles = 0
  /// The files of which no byte could be compared: without a table of chunks, and not read whole.
  package var unverifiedFiles = 0
  /// The chunks, and whole files without chunks, that are right.
  package var rightChunks = 0
  /// The body bytes that came.
  package var bytes = 0
  /// The longest time until the bytes of an answer began.
  package var slowestAnswer: Duration?
  /// Whether it answers requests for ranges with them; nil if that was not seen.
  package var honoursRanges: Bool?
  /// The most redirects that led to a file.
  package var redirects = 0
  /// The origins to which redirects led, each once, in the order of their names.
  package var redirectOrigins: [String] = []
  package var findings: [MirrorFinding] = []
  /// Whether it gave any answer.
  package var isReached = false

  init(_ mirror: MirrorTemplate) {
    self.mirror = mirror
    advice = MirrorAdvice.about(mirror)
  }
}
