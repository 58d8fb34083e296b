import Manifests
import ModelFormats

extension Release {
  /// Throws ``InstallError/runtime(_:_:_:)`` unless the statements satisfy the release and each of its files.
  func requireRuntime(_ statements: [RuntimeStatement]) throws {
    let verdict = runtimeVerdict(given: statements)
    guard verdict.isSatisfied else { throw InstallError.runtime(model, version, verdict) }
  }

  /// Throws the same unless the statements satisfy what the bytes need, too.
  func requireRuntime(
    _ statements: [RuntimeStatement],
    derived: [FileNeeds]
  ) throws {
    let verdict = try runtimeVerdict(given: statements, derived: derived)
    guard verdict.isSatisfied else { throw InstallError.runtime(model, version, verdict) }
  }

  /// Throws ``InstallError/runsCode(_:_:_:)`` if the manifest has files that can run code.
  ///
  /// That its facts are those of the bytes is checked once these are there.
  func requireNoCode() throws {
    let paths = files.filter(\.format.canRunCode).map(\.path)
    guard paths.isEmpty else { throw InstallError.runsCode(model, version, paths) }
  }
}
