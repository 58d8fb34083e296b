/// A URL, or the pattern of one, from which a mirror may serve files.
///
/// `{sha256}`, `{name}`, `{model}` and `{version}` stand for the file at hand, in the path or the
/// query; without any of them the template is the literal URL of one file. Only RFC 3986 characters
/// pass: no control characters, spaces, backslashes or fragments, no user name or password, at most
/// 2048 bytes. A mirror is a hint: it is never part of what is trusted.
package struct MirrorTemplate: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable {
    case https, http, file
  }

  package enum Placeholder: String, Hashable, Sendable {
    case sha256, name, model, version
  }

  enum Part: Hashable, Sendable {
    case literal(String)
    case placeholder(Placeholder, inQuery: Bool)
  }

  package static let maximumLength = 2048

  package let text: String
  package let scheme: Scheme
  let parts: [Part]

  /// Reads a template; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    do {
      var reader = MirrorTemplateReader(text)
      scheme = try reader.scheme()
      try reader.authority(of: scheme)
      parts = try reader.parts()
    } catch {
      throw .text(.mirror, text, error.fault)
    }
    self.text = text
  }

  /// Whether the template gives each file of a release its own URL.
  package var distinguishesFiles: Bool {
    parts.contains { part in
      switch part {
      case .placeholder(.sha256, _), .placeholder(.name, _): true
      default: false
      }
    }
  }

  /// The template without its query, which may hold a token: the form for messages.
  package var redacted: String { Self.redacted(text) }

  /// Returns any text without what may be secret in a URL: the query, and the user before the host.
  static func redacted(_ text: String) -> String {
    let bytes = Array(text.utf8).prefix { !"?#".utf8.contains($0) }
    let slashes = bytes.indices.first { bytes[$0...].starts(with: "://".utf8) }
    let start = slashes.map { $0 + 3 } ?? bytes.startIndex
    let authority = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    return string(bytes[..<start]) + string(bytes[(at.map { $0 + 1 } ?? start)...])
  }
}

extension MirrorTemplate: CustomStringConvertible {
  package var description: String { redacted }
}
