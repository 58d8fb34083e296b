/// How an nginx mirror behaves.
package struct NginxOptions: Sendable {
  /// The most bytes a second on each connection; nil for no limit.
  package var limitRate: Int?
  /// Whether answers are compressed for clients that take it, which turns ranges off.
  package var hasGzip: Bool
  /// The most ranges in a request; 0 ignores Range, nil leaves it open.
  package var maxRanges: Int?
  /// The status of every answer; nil serves files.
  package var status: Int?
  /// From the start of a path to the place where the same path is: `/old` to `http://127.0.0.1:8080`.
  package var redirects: [String: String]
  /// The certificate with which it speaks TLS; nil for plain HTTP.
  package var certificates: TestCertificates?
  /// Whether it speaks HTTP/2 to clients that ask for it in TLS.
  package var hasHTTP2: Bool
  /// Whether it listens on `::1` instead of 127.0.0.1.
  package var isIPv6: Bool
  /// The server block of a document; nil for a block of the tests' own.
  ///
  /// Its address, root and certificates become those of the test, and options that shape a block do not count.
  package var server: String?

  package init(
    limitRate: Int? = nil,
    hasGzip: Bool = false,
    maxRanges: Int? = nil,
    status: Int? = nil,
    redirects: [String: String] = [:],
    certificates: TestCertificates? = nil,
    hasHTTP2: Bool = false,
    isIPv6: Bool = false,
    server: String? = nil
  ) {
    self.limitRate = limitRate
    self.hasGzip = hasGzip
    self.maxRanges = maxRanges
    self.status = status
    self.redirects = redirects
    self.certificates = certificates
    self.hasHTTP2 = hasHTTP2
    self.isIPv6 = isIPv6
    self.server = server
  }

  /// The address where it listens, as a URL has it.
  var host: String { isIPv6 ? "[::1]" : "127.0.0.1" }
}
