package import Manifests

/// Recognises what stands in the place of a file after a failed download, before any parser looks
/// at it.
///
/// Every file is looked at. Where a name promises such content (a web page named `.html`, an XML
/// file), or where the words may well begin a text, they are no fault.
package enum ContentSniffer {
  /// The bytes that are looked at.
  static let window = 4_096

  /// Returns what is wrong with the content, or nil.
  package static func fault<Source: ByteSource>(
    of path: RelativePath,
    _ source: Source
  ) throws(Source.Failure) -> FormatFault? {
    guard source.size > 0 else { return .empty }
    let start = try source.read(at: 0, count: window)
    return fault(of: path, size: source.size, start: start)
  }

  /// Returns what is wrong with content of this size that begins so; nil if nothing is seen.
  package static func fault(of path: RelativePath, size: Int, start: [UInt8]) -> FormatFault? {
    guard size > 0, !start.isEmpty else { return .empty }
    let kind = NameKind(path)
    if start.allSatisfy({ $0 == 0 }) { return kind == .rawData ? nil : .zeroFilled }
    let text = Opening(start)
    if text.starts(with: LFSPointer.beginning) { return .lfsPointer(LFSPointer(start)) }
    if text.isHTML { return kind == .webPage ? nil : .htmlPage }
    if let fault = text.xmlFault(in: kind) { return fault }
    if text.isJSONError(in: kind) { return .jsonError }
    // A page of text may speak of access to a model; the hub's message is short.
    if text.isHubError, kind != .text || size <= 1_024 { return .hubError }
    return nil
  }
}

/// What the name of a file says about its content.
private enum NameKind {
  case webPage, xml, json, text, rawData, model

  init(_ path: RelativePath) {
    switch path.fileExtension {
    case "html", "htm", "xhtml": self = .webPage
    case "xml", "svg", "plist", "xsd", "rdf": self = .xml
    case "json", "jsonl", "ipynb": self = .json
    case "txt", "md", "rst", "markdown": self = .text
    case "data", "raw", "dat", "onnx_data", "weight", "weights": self = .rawData
    case "bin": self = path.fileName.utf8.starts(with: "pytorch_model".utf8) ? .model : .rawData
    default: self = .model
    }
  }
}

/// The start of a file without byte order mark and white space, in lower case.
private struct Opening {
  private let bytes: [UInt8]

  init(_ start: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = start.starts(with: mark) ? start.dropFirst(3) : start[...]
    let blanks = body.prefix(512).prefix(while: Self.isBlank)
    bytes = body[blanks.endIndex...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  func starts(with word: some Collection<UInt8>) -> Bool { bytes.starts(with: word) }

  /// Whether the text begins with a tag of this name, and not with a longer name.
  private func startsWithTag(_ name: String) -> Bool {
    guard starts(with: "<\(name)".utf8) else { return false }
    guard let next = bytes.dropFirst(name.utf8.count + 1).first else { return true }
    return Self.isBlank(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
  }

  var isHTML: Bool {
    starts(with: "<!doctype".utf8) || startsWithTag("html") || startsWithTag("head")
  }

  func xmlFault(in kind: NameKind) -> FormatFault? {
    let isError = startsWithTag("error") || (starts(with: "<?xml".utf8) && contains("<error>"))
    if isError, contains("<code>") { return .xmlError }
    return starts(with: "<?xml".utf8) && kind != .xml && kind != .webPage ? .xmlError : nil
  }

  func isJSONError(in kind: NameKind) -> Bool {
    guard bytes.first == UInt8(ascii: "{") else { return false }
    let member = bytes.dropFirst().drop(while: Self.isBlank)
    guard kind == .json else { return member.starts(with: "\"error".utf8) }
    // A configuration may well begin with a name such as "error_threshold".
    return ["error", "errors", "errorcode", "errormessage"].contains { name in
      guard member.starts(with: "\"\(name)\"".utf8) else { return false }
      let rest = member.dropFirst(name.utf8.count + 2).drop(while: Self.isBlank)
      return rest.first == UInt8(ascii: ":")
    }
  }

  var isHubError: Bool {
    ["invalid rev", "entry not found", "access to model"].contains { starts(with: $0.utf8) }
  }

  private func contains(_ word: String) -> Bool {
    let word = Array(word.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: word) }
  }
}
