/// How to fetch: limits, clocks and what the network here needs.
package struct FetchOptions: Hashable, Sendable {
  /// The most connections that may be open at once, at least 1; no mirror gets more than four of them.
  package var jobs = 6
  /// The most bytes to receive from the network in a second; nil for as many as come.
  package var limitRate: Int?
  /// A PEM file with the certificate authorities to trust, instead of the system's.
  package var authorities: String?
  /// The product and version that mirrors are told.
  package var userAgent = "sealift"
  package var proxies = Proxies()
  package var credentials = FetchCredentials()
  /// Whether HTTP/2 is offered over TLS; it takes all requests to a mirror over one connection.
  package var usesHTTP2 = false
  package var clocks = FetchClocks()
  /// Whether an https mirror may redirect to http.
  package var allowsDowngrade = false

  package init() {}

  /// The proxies to use; the engine itself never looks into the environment.
  package struct Proxies: Hashable, Sendable {
    /// The proxy's URL for `http` mirrors.
    package var http: String?
    /// The proxy's URL for `https` mirrors.
    package var https: String?
    /// The hosts to reach without a proxy, separated by commas, as in `NO_PROXY`.
    package var exceptions: String?

    package init() {}
  }
}

/// How long the engine waits for what.
package struct FetchClocks: Hashable, Sendable {
  /// From the start of a request until the connection stands, TLS included.
  package var connect: Duration = .seconds(10)
  /// From the request until the answer begins.
  package var firstByte: Duration = .seconds(15)
  /// Between two arrivals of some hundred bytes.
  package var idle: Duration = .seconds(10)
  /// What the first two may grow to for a mirror that no other can stand in for.
  package var longest: Duration = .seconds(120)
  /// How long no byte may be verified, while no mirror serves, before the engine gives up.
  package var giveUp: Duration = .seconds(120)

  package init() {}
}

extension FetchClocks {
  /// Gives up after this time, and waits for nothing longer than that.
  package mutating func giveUp(after limit: Duration) {
    giveUp = limit
    connect = min(connect, limit)
    firstByte = min(firstByte, limit)
    idle = min(idle, limit)
  }

  /// The same clocks with more time for bytes to come: `factor` times as much, up to `longest`.
  func grown(by factor: Int, longest: Duration) -> FetchClocks {
    var grown = self
    grown.firstByte = max(firstByte, min(firstByte * factor, longest))
    grown.idle = max(idle, min(idle * factor, longest))
    return grown
  }
}
