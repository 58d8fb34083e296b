import CommandLineKit
import Installing
import Manifests
import Trust

extension InstallWaiting {
  /// Reads `--wait` and `--no-wait`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let (waits, isImpatient) = (try arguments.flag("--wait"), try arguments.flag("--no-wait"))
    guard !waits || !isImpatient else {
      throw UsageError("--wait and --no-wait exclude each other")
    }
    self = isImpatient ? .never : waits ? .forAnything : .forSameRelease
  }
}

extension InstallRequest {
  /// Warns of the first mirror that anybody can listen to.
  func warnAboutPlainMirrors(_ console: Console) {
    let release = accepted.release
    let all = mirrors + release.mirrors + release.files.flatMap(\.mirrors)
    guard let plain = all.first(where: { $0.scheme == .http }) else { return }
    console.warn(
      Diagnostic(
        .network,
        kind: .plainHTTP,
        "mirror \(plain.redacted) is not encrypted",
        notes: ["every byte is verified all the same; who listens sees what is fetched"]
      )
    )
  }
}
