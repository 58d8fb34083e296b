import CommandLineKit
import Digests
import Manifests
import Publishing
import StrictJSON
import Transfers

extension MirrorProblem {
  /// The most chunks that an event lists.
  fileprivate static let listedChunks = 1000

  /// What is wrong, in one line that begins with the word for programs.
  var text: String { "\(kind.rawValue): \(sentence)" }

  /// The word for programs.
  var kind: DiagnosticKind {
    switch self {
    case .unreachable: .unreachable
    case .tls(.certificate): .certificate
    case .tls: .tls
    case .status(let fault):
      switch fault.kind {
      case .missing: .missing
      case .auth: .auth
      case .throttled: .throttled
      default: .wrongStatus
      }
    case .redirect: .redirect
    case .contentCoding: .contentCoding
    case .html: .htmlPage
    case .lfsPointer: .lfsPointer
    case .malformed: .protocolViolation
    case .cut: .cut
    case .noRange: .noRanges
    case .sizeDiffers: .wrongSize
    case .stale: .stale
    case .wrongChunks: .wrongChunk
    case .wrongFile: .integrity
    }
  }

  private var sentence: String {
    switch self {
    case .unreachable(let fault), .tls(let fault), .status(let fault), .redirect(let fault),
      .malformed(let fault), .cut(let fault):
      "\(fault)"
    case .contentCoding(let coding): "the bytes come coded as \(coding)"
    case .html(let firstBytes): "a web page instead of the file, first bytes \(quoted(firstBytes))"
    case .lfsPointer: "a Git LFS pointer instead of the file"
    case .noRange: "no ranges: a request for a part is answered with the whole file, or refused"
    case .sizeDiffers(let found, let expected):
      "\(groupedText(found)) bytes there, not \(groupedText(expected)), although the file begins as it should"
    case .stale(let evidence): "another file, as of another release: \(evidence.sentence)"
    case .wrongChunks(let chunks): chunks.sentence
    case .wrongFile(let found): "the whole file has another digest: SHA-256 \(found)"
    }
  }

  /// The chunks that it names.
  fileprivate var chunks: [WrongChunk] {
    switch self {
    case .wrongChunks(let chunks), .stale(.samples(let chunks, _)): chunks
    default: []
    }
  }

  fileprivate var foundSize: Int? {
    switch self {
    case .sizeDiffers(let found, _), .stale(.size(let found, _)): found
    default: nil
    }
  }
}

extension MirrorProblem.Evidence {
  fileprivate var sentence: String {
    switch self {
    case .size(let found, let expected):
      "\(groupedText(found)) bytes there, not \(groupedText(expected))"
    case .digest(let announced): "it announces SHA-256 \(announced)"
    case .samples(let chunks, let read):
      "of \(groupedText(read)) chunks that were read, \(groupedText(chunks.count)) are wrong"
    }
  }
}

/// The most chunks that a line names.
private let namedChunks = 4

extension [MirrorProblem.WrongChunk] {
  fileprivate var sentence: String {
    let named = prefix(namedChunks).map { chunk in
      "chunk \(chunk.index) (bytes \(groupedText(chunk.range.lowerBound)) to "
        + "\(groupedText(chunk.range.upperBound - 1)))"
    }
    let rest = count > namedChunks ? " and \(groupedText(count - namedChunks)) more" : ""
    return "wrong bytes in \(named.joined(separator: ", "))\(rest)"
  }
}

extension MirrorFinding {
  /// The members of the event.
  func members(in release: Release) -> JSONObject {
    var members: JSONObject = [
      "path": .string(file.text),
      "code": .string(problem.kind.rawValue),
      "mirror": .string(mirror.redacted),
      "url": .string(url),
      "message": .string(problem.text),
    ]
    let entry = release.files.first { $0.path == file }
    if let found = problem.foundSize {
      members["foundSize"] = .integer(Int64(found))
      members["expectedSize"] = entry.map { .integer(Int64($0.size)) }
    }
    guard !problem.chunks.isEmpty else { return members }
    members["wrongChunks"] = .integer(Int64(problem.chunks.count))
    members["chunks"] = .array(
      problem.chunks.prefix(MirrorProblem.listedChunks).map { chunk in
        var members: JSONObject = [
          "index": .integer(Int64(chunk.index)),
          "offset": .integer(Int64(chunk.range.lowerBound)),
          "length": .integer(Int64(chunk.range.count)),
          "foundSha256": .string(chunk.found.hex),
        ]
        let expected = entry?.chunks?.chunks
        members["expectedSha256"] = expected.map { .string($0[chunk.index].digest.hex) }
        return .object(members)
      }
    )
    return members
  }
}
