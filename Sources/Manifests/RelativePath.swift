/// The place of a file inside a release: components joined by `/`.
///
/// A component has 1 to 255 bytes of ASCII letters, digits and `._+@=,()[] -`; it does not start
/// with `.`, `-` or a space, does not end with `.` or a space, and is no device name on Windows
/// (`NUL`, `com1.txt`). A path has at most 32 components and 1024 bytes. So a path is never
/// absolute, never leaves its folder, and means the same on every system. Compared as bytes.
package struct RelativePath: Hashable, Sendable {
  package static let maximumLength = 1024
  package static let maximumComponents = 32
  package static let maximumComponentLength = 255

  package let text: String

  /// Reads a path; throws the rule that `text` breaks.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    if let fault = Self.fault(of: bytes) { throw .text(.path, text, fault) }
    self.text = text
  }

  /// The names from the outermost folder to the file.
  package var components: [String] {
    text.utf8.split(separator: slash).map { string($0) }
  }

  /// The last component.
  package var fileName: String {
    string(text.utf8.suffix(while: { $0 != slash }))
  }

  /// The lower-case text after the last dot of the file name; nil without a dot.
  package var fileExtension: String? {
    let name = fileName.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return string(name[name.index(after: dot)...].map(\.lowercase))
  }

  private static func fault(of bytes: [UInt8]) -> TextFault? {
    guard !bytes.isEmpty else { return .empty }
    guard bytes.count <= maximumLength else { return .tooLong(limit: maximumLength) }
    let components = bytes.split(separator: slash, omittingEmptySubsequences: false)
    guard components.count <= maximumComponents else {
      return .tooManyComponents(limit: maximumComponents)
    }
    for component in components {
      if let fault = fault(ofComponent: component) { return fault }
    }
    return nil
  }

  /// The indices of the slice are offsets in the path.
  private static func fault(ofComponent component: ArraySlice<UInt8>) -> TextFault? {
    guard let first = component.first, let last = component.last else { return .emptyPart }
    guard component.count <= maximumComponentLength else {
      return .tooLong(limit: maximumComponentLength)
    }
    for index in component.indices where !isAllowed(component[index]) {
      return .badByte(component[index], offset: index)
    }
    if ".- ".utf8.contains(first) { return .startsWith(first) }
    if ". ".utf8.contains(last) { return .endsWith(last) }
    return deviceName(in: component).map { .deviceName($0) }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "._+@=,()[] -".utf8.contains(byte)
  }

  /// The device that Windows would open instead of the file: it looks at the name before the first
  /// dot.
  private static func deviceName(in component: ArraySlice<UInt8>) -> String? {
    var stem = component.prefix { $0 != UInt8(ascii: ".") }
    while stem.last == UInt8(ascii: " ") { stem.removeLast() }
    let name = string(stem.map(\.lowercase))
    switch name {
    case "con", "prn", "aux", "nul":
      return string(stem)
    default:
      guard stem.count == 4, name.hasPrefix("com") || name.hasPrefix("lpt") else { return nil }
      return stem.last?.isDigit == true ? string(stem) : nil
    }
  }
}

private let slash = UInt8(ascii: "/")

extension RelativePath: Comparable, CustomStringConvertible {
  package static func < (left: RelativePath, right: RelativePath) -> Bool {
    precedes(left.text.utf8, right.text.utf8)
  }

  package var description: String { text }
}

extension BidirectionalCollection {
  /// The elements after the last one for which `predicate` is false.
  fileprivate func suffix(while predicate: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex {
      let previous = index(before: start)
      guard predicate(self[previous]) else { break }
      start = previous
    }
    return self[start...]
  }
}
