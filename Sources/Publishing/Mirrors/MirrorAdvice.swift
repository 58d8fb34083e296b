package import Manifests

/// What a publisher should know about a mirror, although it is no error.
package enum MirrorAdvice: Hashable, Sendable {
  /// Others on the way see and delay what is fetched; the bytes are verified all the same.
  case unencrypted(MirrorTemplate)
  /// The URL names a branch or a moving name: what is there tomorrow may differ from what was sealed.
  case mutable(MirrorTemplate, word: String)
}

extension MirrorAdvice {
  /// Returns what there is to say about `mirror`.
  package static func about(_ mirror: MirrorTemplate) -> [MirrorAdvice] {
    var advice: [MirrorAdvice] = []
    if mirror.scheme == .http { advice.append(.unencrypted(mirror)) }
    if let word = movingWord(in: mirror) { advice.append(.mutable(mirror, word: word)) }
    return advice
  }

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
