extension Release {
  /// Returns what `statements` say about the release: its own list must be satisfied, and that of
  /// each file.
  ///
  /// The result is the first verdict that isn't satisfied, or that of the release.
  package func runtimeVerdict(given statements: [RuntimeStatement]) -> RuntimeVerdict {
    let own = RuntimeVerdict(requirements: runtimes, statements: statements)
    guard own.isSatisfied else { return own }
    for file in files where !file.runtimes.isEmpty {
      let verdict = RuntimeVerdict(requirements: file.runtimes, statements: statements)
      guard verdict.isSatisfied else { return verdict }
    }
    return own
  }

  /// Returns what `statements` say about the release once its bytes were looked at: what the manifest
  /// demands must be satisfied, and what each file needs.
  ///
  /// The list for a file is its own, or else that of the release. A requirement in it holds where it is
  /// at least what the bytes need, or where its publisher insisted on less; else the need of the bytes
  /// stands in its place. Where the manifest demands nothing of a file, its needs are asked only of
  /// runtimes that are stated.
  package func runtimeVerdict(
    given statements: [RuntimeStatement],
    derived: [FileNeeds]
  ) throws(ManifestError) -> RuntimeVerdict {
    let demanded = runtimeVerdict(given: statements)
    guard demanded.isSatisfied else { return demanded }
    var lists: [RelativePath: [RuntimeRequirement]] = [:]
    for file in files where !file.runtimes.isEmpty { lists[file.path] = file.runtimes }
    for needs in derived {
      let list = lists[needs.file] ?? runtimes
      let verdict = RuntimeVerdict(
        requirements: list.isEmpty
          ? needs.anyOf.filter { need in statements.contains { $0.name == need.name } }
          : try Self.raised(list, to: needs.anyOf),
        statements: statements
      )
      guard verdict.isSatisfied else { return verdict }
    }
    return demanded
  }

  private static func raised(
    _ list: [RuntimeRequirement],
    to needs: [RuntimeRequirement]
  ) throws(ManifestError) -> [RuntimeRequirement] {
    var raised = list
    for need in needs {
      for (index, own) in raised.enumerated()
      where own.isComparable(with: need) && !own.isForced && !own.isAtLeast(need) {
        raised[index] = try own.merged(with: need)
      }
    }
    return raised
  }
}
