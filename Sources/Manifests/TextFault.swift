/// What a text was meant to be when it was refused.
package enum TextKind: String, Hashable, Sendable {
  case model, version, path, timestamp, license, mirror, role, digest, channel, repository
  case runtimeName = "runtime name"
  case runtimeVersion = "runtime version"
  case runtimeScheme = "runtime scheme"
  case runtimeStatement = "runtime statement"
  case versionRange = "version range"
  case repositoryURL = "URL of a repository"
  case formatName = "format name"
  case chunkTable = "chunk table"
}

/// The rule that a text breaks.
package enum TextFault: Hashable, Sendable {
  case empty
  /// It has more than `limit` bytes.
  case tooLong(limit: Int)
  /// The byte at `offset` is not in the alphabet or not in its place.
  case badByte(UInt8, offset: Int)
  /// A model name has one or two segments.
  case tooManySegments
  /// A path has at most this many components.
  case tooManyComponents(limit: Int)
  case startsWith(UInt8)
  case endsWith(UInt8)
  /// Two dots in a row.
  case doubleDot
  /// A model name would be read as a manifest file.
  case endsWithJSON
  /// A component is a device name on Windows.
  case deviceName(String)
  /// A number is written with a zero before it.
  case leadingZero
  /// An identifier between dots, or a part between slashes, has no bytes.
  case emptyPart
  /// SemVer build metadata (`+…`) does not take part in precedence, so a version has none.
  case buildMetadata
  /// The text does not have the form that `expected` shows.
  case badForm(expected: String)
  /// No such day or time of day exists.
  case noSuchTime
  case unsupportedScheme(String)
  case credentials
  case fragment
  case unknownPlaceholder(String)
  case badHost
  /// The upper end of a range lies below its lower end.
  case emptyRange
}

extension TextFault {
  /// The fault in plain words, to follow a colon.
  package var text: String {
    switch self {
    case .empty: "it is empty"
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .badByte(let byte, let offset): "\(describe(byte)) at byte \(offset) is not allowed"
    case .tooManySegments: "it has more than two segments"
    case .tooManyComponents(let limit): "it has more than \(limit) components"
    case .startsWith(let byte): "a part starts with \(describe(byte))"
    case .endsWith(let byte): "a part ends with \(describe(byte))"
    case .doubleDot: "it has two dots in a row"
    case .endsWithJSON: "it ends with .json"
    case .deviceName(let name): "\(name) is a device name on Windows"
    case .leadingZero: "a number has a leading zero"
    case .emptyPart: "a part is empty"
    case .buildMetadata: "build metadata (+…) is not allowed"
    case .badForm(let expected): "expected \(expected)"
    case .noSuchTime: "there is no such time"
    case .unsupportedScheme(let scheme):
      "the scheme \(escaped(scheme)) is not one of https, http, file"
    case .credentials: "it contains credentials"
    case .fragment: "it has a fragment (#…)"
    case .unknownPlaceholder(let name):
      "{\(escaped(name))} is not one of {sha256}, {name}, {model}, {version}"
    case .badHost: "its host or port is malformed"
    case .emptyRange: "its upper end is below its lower end"
    }
  }
}

private func describe(_ byte: UInt8) -> String {
  switch byte {
  case 0x20: "a space"
  case 0x21...0x7E: "\"\(Character(Unicode.Scalar(byte)))\""
  default: "the byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
  }
}
