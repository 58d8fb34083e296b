package import CommandLineKit
import SystemFiles
package import Transfers

extension FetchOptions {
  /// Takes the file of certificate authorities that `--ca-bundle`, or its variable, names; refuses what has none.
  ///
  /// - Throws: A diagnostic that names the option: 3 for a missing file, 8 for one that cannot be read or has no
  ///   certificate.
  package mutating func takeAuthorities(_ path: String?) throws(Diagnostic) {
    authorities = path
    do { try checkAuthorities() } catch {
      let found =
        error.isInvalid && !error.isNoFile
        ? Diagnostic(.localFailure, "\(path ?? "") has no certificate in PEM form")
        : Diagnostic(error)
      throw Diagnostic(
        found.exitCode,
        kind: found.kind,
        "--ca-bundle: \(found.message)",
        notes: found.notes,
        helps: ["name a file of certificates that begin with -----BEGIN CERTIFICATE-----"]
      )
    }
  }
}
