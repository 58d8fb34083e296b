import SystemFiles

/// A throwaway certificate authority and a server certificate that it signed, made by the `openssl` command.
///
/// The files live as long as the value. The keys are on P-256 and protect nothing.
package final class TestCertificates: Sendable {
  /// The names a server certificate is for, as OpenSSL writes them.
  package static let loopbackNames = "IP:127.0.0.1,DNS:localhost"

  private let folder: OwnFolder

  /// Makes both; takes some ten milliseconds.
  ///
  /// Other `names` give a certificate for another server. A certificate that `isExpired` ended before it is made.
  package init(
    names: String = TestCertificates.loopbackNames,
    isExpired: Bool = false
  ) async throws {
    folder = try OwnFolder()
    guard var openssl = Tool.installed("openssl") else { throw SupportError.noProgram("openssl") }
    openssl.folder = folder.path
    try Folder(path: folder.path).replaceFile(
      "openssl.cnf",
      with: Array(Self.configuration(names).utf8),
      mode: 0o600
    )
    for arguments in Self.commands(isExpired: isExpired) {
      let outcome = try await openssl.run(arguments)
      guard outcome.ending == .exited(0) else {
        throw SupportError.programFailed("openssl", message: outcome.errors)
      }
    }
  }

  /// The authority's certificate, which a client is to trust.
  package var authority: String { "\(folder.path)/ca.pem" }
  /// The server's certificate.
  package var certificate: String { "\(folder.path)/server.pem" }
  /// The server's private key.
  package var key: String { "\(folder.path)/server.key" }

  private static func commands(isExpired: Bool) -> [[String]] {
    let new = [
      "-config", "openssl.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes",
    ]
    return [
      ["req", "-x509"] + new + ["-subj", "/CN=Test CA", "-extensions", "ca", "-days", "30"]
        + ["-keyout", "ca.key", "-out", "ca.pem"],
      ["req"] + new + ["-subj", "/CN=Test server", "-keyout", "server.key", "-out", "server.csr"],
      ["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key"]
        + ["-extfile", "openssl.cnf", "-extensions", "server", "-days", isExpired ? "-1" : "30"]
        + ["-out", "server.pem"],
    ]
  }

  private static func configuration(_ names: String) -> String {
    """
    [req]
    distinguished_name = name
    prompt = no
    [name]
    [ca]
    basicConstraints = critical, CA:TRUE
    keyUsage = critical, keyCertSign
    subjectKeyIdentifier = hash
    [server]
    basicConstraints = CA:FALSE
    keyUsage = critical, digitalSignature
    extendedKeyUsage = serverAuth
    subjectAltName = \(names)

    """
  }
}
