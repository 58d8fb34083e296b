package import Manifests

/// What a publisher should know about a mirror, although it is no error.
package enum MirrorAdvice: Hashable, Sendable {
  /// Others on the way see and delay what is fetched; the bytes are verified all the same.
  case unencrypted(MirrorTemplate)
  /// The URL names a branch or a moving name: what is there tomorrow may differ from what was sealed.
  case mutable(MirrorTemplate, word: String)
  /// The query has parameters with such names and a value: who reads the manifest has what may be a secret.
  case secret(MirrorTemplate, parameters: [String])
}

extension MirrorAdvice {
  /// Returns what there is to say about `mirror`.
  package static func about(_ mirror: MirrorTemplate) -> [MirrorAdvice] {
    var advice: [MirrorAdvice] = []
    if mirror.scheme == .http { advice.append(.unencrypted(mirror)) }
    if let word = movingWord(in: mirror) { advice.append(.mutable(mirror, word: word)) }
    let parameters = secretParameters(of: mirror)
    if !parameters.isEmpty { advice.append(.secret(mirror, parameters: parameters)) }
    return advice
  }

  /// The names of parameters, as `X-Amz-Signature`, that have a value and of which a word tells of a secret.
  ///
  /// A value that is only a placeholder is none. User names and passwords no template has.
  private static func secretParameters(of mirror: MirrorTemplate) -> [String] {
    let query = mirror.text.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    return query.split { "&;?".utf8.contains($0) }.compactMap { parameter in
      let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2, !isPlaceholder(parts[1]) else { return nil }
      let name = String(decoding: Array(parts[0]), as: UTF8.self)
      return isSecret(name) ? name : nil
    }
  }

  private static func isPlaceholder(_ value: Substring.UTF8View) -> Bool {
    value.first == UInt8(ascii: "{")
      && value.firstIndex(of: UInt8(ascii: "}")) == value.indices.last
  }

  /// Whether a word of the name is one of those that stand for secrets, alone or at its end, as in `accesstoken`.
  private static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    let words = name.utf8.split { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return secretEndings.contains { name.utf8.reversed().starts(with: $0.utf8.reversed()) }
      || words.contains { word in secretWords.contains { word.elementsEqual($0.utf8) } }
  }

  private static let secretWords = [
    "token", "key", "sig", "signature", "secret", "password", "passwd", "pwd", "auth",
    "authorization", "credential", "credentials", "jwt", "session", "policy", "hmac",
  ]
  private static let secretEndings = [
    "token", "apikey", "accesskey", "secret", "password", "signature",
  ]

  /// The path segments that say that a URL moves: `resolve/main`, `raw/master`, `refs/heads/x`, `releases/latest`.
  private static func movingWord(in mirror: MirrorTemplate) -> String? {
    let segments = mirror.redacted.utf8.split(separator: UInt8(ascii: "/"))
      .map { String(decoding: Array($0), as: UTF8.self) }
    for (one, next) in zip(segments, segments.dropFirst()) {
      let isMoving =
        switch one {
        case "resolve", "raw", "blob", "tree": branches.contains(next.lowercased())
        case "refs": next == "heads"
        case "releases": next == "latest"
        default: false
        }
      if isMoving { return "\(one)/\(next)" }
    }
    return nil
  }

  private static let branches = ["main", "master", "head", "latest", "dev", "develop", "trunk"]
}
