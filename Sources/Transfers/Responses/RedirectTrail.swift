/// The redirect policy: follows one mirror URL to where the bytes are, or says why not.
///
/// At most 5 hops, `https` and `http` only, never from `https` to `http` unless allowed, no URL twice.
package struct RedirectTrail: Hashable, Sendable {
  /// The hops that are followed.
  package static let hopLimit = 5

  private let allowsDowngrade: Bool
  private var visited: [TransferURL]

  package init(from url: TransferURL, allowsDowngrade: Bool = false) {
    visited = [url]
    self.allowsDowngrade = allowsDowngrade
  }

  /// Takes one hop: the URL that `location`, the value of the field, leads to.
  package mutating func follow(_ location: [UInt8]) throws(MirrorFault) -> TransferURL {
    let here = visited[visited.count - 1]
    let next = try target(of: location, from: here)
    let chain = visited.map(\.redacted) + [next.redacted]
    if visited.contains(next) { throw .redirectLoop(chain: chain) }
    if here.scheme == .https, next.scheme == .http, !allowsDowngrade {
      throw .redirectToHTTP(chain: chain)
    }
    guard visited.count <= Self.hopLimit else { throw .tooManyRedirects(chain: chain) }
    visited.append(next)
    return next
  }

  /// The places to which hops led.
  var hops: [MirrorReading.Hop] {
    visited.dropFirst().map { MirrorReading.Hop(url: $0.redacted, origin: $0.origin) }
  }

  private func target(
    of location: [UInt8],
    from here: TransferURL
  ) throws(MirrorFault) -> TransferURL {
    do {
      return try here.resolving(location)
    } catch {
      let target = redact(printable(location, limit: 2000))
      throw .redirectElsewhere(chain: visited.map(\.redacted), target: target)
    }
  }
}
