import Manifests

/// The place of a data file, as a model file names it: relative to the folder of the model, and inside that folder.
struct ExternalLocation: Equatable {
  /// The path without `.` segments; a file of a release may have it.
  let path: String

  /// Why a location is not taken.
  struct Refusal: Error, Equatable {
    let expected: String
    let found: String
  }

  /// Reads a location as it stands in a file.
  ///
  /// Throws for whatever could lead elsewhere: an absolute path, `..`, an empty segment, a backslash, a drive, a
  /// control byte such as the zero at which C programs cut; and for what no file of a release can be named.
  init(_ bytes: [UInt8]) throws(Refusal) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !bytes.isEmpty else {
      throw Refusal(expected: "the location of its data", found: "an empty one")
    }
    let segments = bytes.split(
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    )
    let isInside = segments.allSatisfy { !$0.isEmpty && !$0.elementsEqual("..".utf8) }
    guard isInside, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw Refusal(expected: "a location inside the folder of the model", found: "\"\(text)\"")
    }
    let parts = segments.filter { !$0.elementsEqual(".".utf8) }
    let path = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    guard !bytes.contains(UInt8(ascii: "\\")), (try? RelativePath(path)) != nil else {
      throw Refusal(expected: "a location that a file of a release can have", found: "\"\(text)\"")
    }
    self.path = path
  }
}
