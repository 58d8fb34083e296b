import Manifests

extension Release {
  /// Throws ``InstallError/runtime(_:_:_:)`` unless the statements satisfy the release and each of its files.
  func requireRuntime(_ statements: [RuntimeStatement]) throws {
    let verdict = runtimeVerdict(given: statements)
    guard verdict.isSatisfied else { throw InstallError.runtime(model, version, verdict) }
  }
}
