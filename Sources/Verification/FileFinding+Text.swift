import Digests
import ModelFormats
import SystemFiles

extension FileFinding {
  /// The most wrong chunks that are named one by one.
  private static let namedChunks = 4

  /// The stable name of the problem for programs.
  package var code: String {
    switch problem {
    case .missing: "missing"
    case .notAFile: "wrongType"
    case .wrongSize(_, 0): "empty"
    case .wrongSize(let expected, let found): found < expected ? "truncated" : "wrongSize"
    case .wrongChunks, .wrongDigest: "modified"
    case .pointer: "lfsPointer"
    case .contradiction: "contradiction"
    case .notAModel(let problem): problem.fault.code
    case .unreadable: "unreadable"
    case .extra: "extra"
    }
  }

  /// The finding in one sentence, without a full stop; the path in it may need escaping.
  package var text: String {
    switch problem {
    case .missing: "\(path) is missing"
    case .notAFile(let kind): "\(path) is \(Self.words(for: kind)), not a file"
    case .wrongSize(let expected, 0): "\(path) is empty, expected \(expected) bytes"
    case .wrongSize(let expected, let found):
      "\(path) has \(found) bytes, expected \(expected)"
    case .wrongChunks(let chunks): "\(path) differs in \(Self.words(for: chunks))"
    case .wrongDigest(let expected, let found):
      "\(path) has SHA-256 \(found), expected \(expected)"
    case .pointer(let pointer, let digest, let size):
      "\(path) is \(Self.words(for: pointer, insteadOf: digest, size: size))"
    case .contradiction(let signed, let found):
      "\(path) has SHA-256 \(found) by its signed chunks, and \(signed) is signed"
    case .notAModel(let problem): problem.text
    case .unreadable(let error): "\(path) cannot be read: \(error.reason)"
    case .extra(let kind): "\(path) is \(Self.words(for: kind)) that the manifest does not have"
    }
  }

  private static func words(for kind: FileStatus.Kind) -> String {
    switch kind {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .other: "a special file"
    }
  }

  private static func words(
    for pointer: LFSPointer,
    insteadOf digest: SHA256Digest,
    size: Int
  ) -> String {
    let expected = "SHA-256 \(digest.hex), \(size) bytes"
    guard let oid = pointer.oid else {
      return "a Git LFS pointer that names no file, expected \(expected)"
    }
    if oid == digest, (pointer.size ?? size) == size {
      return "the Git LFS pointer to this file, not the file itself (\(expected))"
    }
    let found = "SHA-256 \(oid.hex)" + (pointer.size.map { ", \($0) bytes" } ?? "")
    return "a Git LFS pointer to another file (\(found)), expected \(expected)"
  }

  private static func words(for chunks: [Chunk]) -> String {
    let places = chunks.prefix(namedChunks).map { "bytes \($0.offset)-\($0.range.upperBound - 1)" }
    let rest = chunks.count > namedChunks ? ", ..." : ""
    let noun = chunks.count == 1 ? "chunk" : "chunks"
    return "\(chunks.count) \(noun): \(places.joined(separator: ", "))\(rest)"
  }
}
