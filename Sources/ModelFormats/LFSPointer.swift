package import Digests

/// What Git LFS leaves in place of a file: the digest and the size of the file that should be
/// there.
package struct LFSPointer: Hashable, Sendable {
  package let oid: SHA256Digest?
  package let size: Int?

  static let beginning = Array("version https://git-lfs.github.com/spec/v1".utf8)

  /// Reads the lines of a pointer; a line that is absent or malformed gives nil for its fact.
  init(_ bytes: [UInt8]) {
    var oid: SHA256Digest?
    var size: Int?
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    ) {
      if line.starts(with: "oid sha256:".utf8) {
        oid = SHA256Digest(hex: String(decoding: line.dropFirst(11), as: UTF8.self))
      } else if line.starts(with: "size ".utf8) {
        let digits = line.dropFirst(5)
        guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { continue }
        size = Int(String(decoding: digits, as: UTF8.self))
      }
    }
    self.oid = oid
    self.size = size
  }
}
