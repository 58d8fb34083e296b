/// What mirrors are told of who asks, each origin its own.
///
/// A request carries the field of the origin that it goes to and no other, also after a redirect. Nothing of this
/// appears in events, reports or errors.
package struct FetchCredentials: Hashable, Sendable {
  private enum Secret: Hashable, Sendable {
    case bearer(String)
    case basic(user: String, password: String)
  }

  private var origins: [String: Secret] = [:]
  private var hosts: [String: Secret] = [:]
  /// What a `default` entry of a netrc file says.
  private var others: Secret?

  package init() {}

  /// Sends a bearer token (RFC 6750) to the origin of `url`, such as `https://example.com`.
  ///
  /// Throws ``MirrorFault/unusableURL(_:)`` for what is no `http` or `https` URL, and for a token with bytes that
  /// no header field may have.
  package mutating func add(bearer token: String, for url: String) throws(MirrorFault) {
    let place = try TransferURL(url)
    guard place.scheme != .file, Self.isToken(token) else {
      throw .unusableURL("no token for this origin")
    }
    origins[place.origin] = .bearer(token)
  }

  /// Whether a header field can carry the token.
  package static func isToken(_ token: String) -> Bool {
    !token.isEmpty && token.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }

  /// The origins to which tokens go where others can read them: over plain http to another machine.
  package var exposedOrigins: [String] {
    origins.keys.filter { origin in
      guard let url = try? TransferURL(origin) else { return false }
      return url.scheme == .http && !Self.ownHosts.contains(url.host)
    }.sorted()
  }

  /// Sends user name and password to a host, over TLS or to this machine only; nil for every other host.
  mutating func add(user: String, password: String, for host: String?) {
    let secret = Secret.basic(user: user, password: password)
    guard let host else {
      others = others ?? secret
      return
    }
    let name = String(decoding: lowered(host.utf8), as: UTF8.self)
    // As in libcurl, the first entry of a host counts.
    if hosts[name] == nil { hosts[name] = secret }
  }

  /// The field of a request for `url`, to which `mirror` led; nil if nothing is to be told.
  ///
  /// What is known of hosts goes to the mirror's own origin only: nobody named the others.
  func field(for url: TransferURL, from mirror: TransferURL) -> String? {
    let isSafe = url.scheme == .https || Self.ownHosts.contains(url.host)
    let isOwn = isSafe && url.origin == mirror.origin
    switch origins[url.origin] ?? (isOwn ? hosts[url.host] ?? others : nil) {
    case .bearer(let token)?: return "Authorization: Bearer \(token)"
    case .basic(let user, let password)?:
      return "Authorization: Basic \(base64(Array("\(user):\(password)".utf8)))"
    case nil: return nil
    }
  }

  private static let ownHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]", "::1"]
}

/// Bytes in base64 with padding (RFC 4648 §4).
private func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      text.append(
        place > group.count
          ? UInt8(ascii: "=") : digits[Int(bits >> UInt32(18 - 6 * place)) & 0x3f]
      )
    }
  }
  return String(decoding: text, as: UTF8.self)
}
