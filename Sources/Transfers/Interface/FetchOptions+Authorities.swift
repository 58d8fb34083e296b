import Glibc
package import SystemFiles

extension FetchOptions {
  /// The most bytes that a file of certificate authorities may have; the system's has a few hundred thousand.
  private static let authoritiesLimit = 64 << 20

  /// Refuses a file of authorities that cannot be read or has no certificate, so that no mirror is blamed for it.
  ///
  /// Throws `EINVAL` for a file without a PEM certificate.
  package func checkAuthorities() throws(SystemError) {
    guard let authorities else { return }
    let bytes: [UInt8]
    do {
      bytes = try OpenFile(reading: authorities).readAll(limit: Self.authoritiesLimit)
    } catch {
      throw error.at(authorities)
    }
    let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard lines.contains(where: { line in marks.contains { line.starts(with: $0.utf8) } }) else {
      throw SystemError("read certificates", code: EINVAL, path: authorities)
    }
  }
}
