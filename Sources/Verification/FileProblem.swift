package import Digests
package import ModelFormats
package import SystemFiles

/// What is wrong with one file of a release as it lies on disk.
package enum FileProblem: Equatable, Sendable {
  case missing
  /// A folder, link or special file stands where the file should be.
  case notAFile(FileStatus.Kind)
  case wrongSize(expected: Int, found: Int)
  /// These chunks, in order, differ from the manifest.
  case wrongChunks([Chunk])
  case wrongDigest(expected: SHA256Digest, found: SHA256Digest)
  /// A Git LFS pointer stands in the place of the file, which has this digest and size.
  case pointer(LFSPointer, insteadOf: SHA256Digest, size: Int)
  /// Every signed chunk is right and the signed digest of the whole file is not: the publisher's fault.
  case contradiction(signed: SHA256Digest, found: SHA256Digest)
  /// The bytes are the signed ones and still no model: the publisher's fault.
  case notAModel(FormatProblem)
  case unreadable(SystemError)
  /// Nothing in the manifest has this name.
  case extra(FileStatus.Kind)
}

/// A file of a release, or one that is none of it, and what is wrong with it.
package struct FileFinding: Equatable, Sendable {
  /// The path beneath the folder of the release.
  ///
  /// For an extra file it may be no path that a release could have.
  package let path: String
  package let problem: FileProblem

  package init(path: String, problem: FileProblem) {
    self.path = path
    self.problem = problem
  }
}

extension FileFinding {
  /// Whether the signed bytes themselves are at fault, so that no other mirror and no second fetch helps.
  package var isPublishersFault: Bool {
    switch problem {
    case .notAModel, .contradiction: true
    default: false
    }
  }
}
