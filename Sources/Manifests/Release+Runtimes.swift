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
}
