import Manifests

extension License {
  /// What files say where their maker filled in no licence.
  private static let saysNothing = ["", "other", "unknown", "none"]

  /// Whether what a file says of its licence is no contradiction.
  ///
  /// Names compare by letters and digits without case, and without the word licence: `Apache License 2.0`
  /// is `apache-2.0`.
  func agrees(with found: String) -> Bool {
    let other = Self.core(found)
    return Self.saysNothing.contains(other) || other == Self.core(text)
  }

  private static func core(_ text: String) -> String {
    var letters = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      .filter { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    for word in ["license", "licence", "version"] {
      while let start = letters.indices.first(where: { letters[$0...].starts(with: word.utf8) }) {
        letters.removeSubrange(start..<start + word.utf8.count)
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
