import Digests
import SystemFiles

/// What a job of a worker came to.
enum WorkResult: Sendable {
  /// The part is open; the claimed chunks are to be looked at, or so many first bytes are hashed already.
  case opened(file: Int, OpenedPart)
  /// The bytes that an earlier run left of a chunk, or that another version has, were right or not.
  case checked(file: Int, piece: Int, isRight: Bool, Origin)
  /// The piece is right and written.
  case verified(file: Int, piece: Int, Contributions)
  /// All bytes of the piece came and they are wrong.
  case rejected(file: Int, piece: Int, transfer: Int, digest: SHA256Digest, Contributions)
  /// So many bytes are written of a file that is verified only as a whole.
  case pending(file: Int, Int)
  /// A file without chunk table begins anew; these bytes are of no use.
  case restarted(file: Int, Contributions)
  /// The part is whole and synced, if that was not left for later; these of its chunks were read back.
  case finished(file: Int, ReadBack?)
  /// The files that were left to be synced are.
  case synced
  case failed(file: Int, SystemError)

  /// Where bytes were that no mirror had to send.
  enum Origin: Sendable { case earlierRun, otherVersion }
}
