import Manifests
package import Transfers

/// Reads the files of a release back from its mirrors, as anybody would, and compares the bytes with the manifest.
///
/// Tells no mirror who asks. Several mirrors are asked at once, each one request after the other, so that a check is
/// never what slows a mirror down.
package struct MirrorChecker: Sendable {
  private let plan: MirrorCheckPlan
  private let depth: CheckDepth
  private let jobs: Int
  private let options: FetchOptions

  /// - Parameters:
  ///   - plan: The mirrors and files.
  ///   - depth: What is read of each file.
  ///   - options: How to ask: `jobs` mirrors at once, and `limitRate` bytes a second for all of them together. What
  ///     mirrors would be told of who asks is left out.
  package init(_ plan: MirrorCheckPlan, depth: CheckDepth, options: FetchOptions) {
    self.plan = plan
    self.depth = depth
    jobs = max(1, min(options.jobs, plan.mirrors.count))
    var options = options
    options.credentials = FetchCredentials()
    options.limitRate = options.limitRate.map { [jobs] in max(1, $0 / jobs) }
    self.options = options
  }

  /// Asks all mirrors.
  ///
  /// - Parameter note: Called with the count of bytes that came, again and again, on any thread.
  /// - Returns: What each mirror did.
  /// - Throws: `FetchError` for authorities that cannot be read, and `CancellationError`.
  package func check(
    note: @escaping @Sendable (Int) -> Void
  ) async throws -> MirrorCheckReport {
    let outcomes = try await withThrowingTaskGroup(of: (Int, MirrorOutcome).self) { group in
      var outcomes: [Int: MirrorOutcome] = [:]
      for (place, mirror) in plan.mirrors.enumerated() {
        if place >= jobs, let (done, outcome) = try await group.next() { outcomes[done] = outcome }
        group.addTask { (place, try await check(mirror, note)) }
      }
      for try await (done, outcome) in group { outcomes[done] = outcome }
      return outcomes
    }
    try Task.checkCancellation()
    return MirrorCheckReport(mirrors: plan.mirrors.indices.compactMap { outcomes[$0] })
  }

  private func check(
    _ mirror: MirrorCheckPlan.Mirror,
    _ note: @escaping @Sendable (Int) -> Void
  ) async throws(FetchError) -> MirrorOutcome {
    try await Fetcher(options: options).withReader { reader in
      var outcome = MirrorOutcome(mirror.template)
      for (index, url) in mirror.files {
        guard !reader.isStopped else { break }
        guard !outcome.isOver else {
          outcome.skippedFiles += 1
          continue
        }
        outcome.findings += check(index, at: url, of: mirror, reader, &outcome, note)
      }
      return outcome
    }
  }

  /// Checks one file, and adds to the outcome what was seen.
  private func check(
    _ index: Int,
    at url: String,
    of mirror: MirrorCheckPlan.Mirror,
    _ reader: MirrorReader,
    _ outcome: inout MirrorOutcome,
    _ note: @escaping @Sendable (Int) -> Void
  ) -> [MirrorFinding] {
    let file = plan.release.files[index]
    var probe = FileProbe(
      file,
      index: index,
      depth: depth,
      testsRanges: mirror.rangeTestFile == index
    )
    while let ask = probe.next() {
      let reading = reader.read(ask, from: url, note: note)
      outcome.add(reading)
      probe.took(reading)
    }
    guard !reader.isStopped else { return [] }
    outcome.add(probe)
    return probe.problems.map {
      MirrorFinding(mirror: mirror.template, file: file.path, url: redact(url), problem: $0)
    }
  }
}

extension MirrorOutcome {
  /// Whether more requests would be in vain, or are not wanted.
  fileprivate var isOver: Bool {
    (askedFiles > 0 && !isReached) || findings.contains { $0.problem.isThrottling }
  }

  fileprivate mutating func add(_ reading: MirrorReading) {
    bytes += reading.received
    if let time = reading.timeToAnswer { slowestAnswer = max(slowestAnswer ?? .zero, time) }
    redirects = max(redirects, reading.hops.count)
    for hop in reading.hops where !redirectOrigins.contains(hop.origin) {
      redirectOrigins.append(hop.origin)
    }
    redirectOrigins.sort()
  }

  fileprivate mutating func add(_ probe: FileProbe) {
    askedFiles += 1
    rightChunks += probe.rightPieces
    if probe.isUnverified { unverifiedFiles += 1 }
    if let honours = probe.honoursRanges { honoursRanges = (honoursRanges ?? true) && honours }
    if !probe.problems.contains(where: \.isSilence) { isReached = true }
  }
}
