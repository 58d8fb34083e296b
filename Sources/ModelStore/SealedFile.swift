import SystemFiles

/// A file of a candidate that was verified and is not published yet, by the descriptor through which it was read.
final class SealedFile: Sendable {
  struct Failure: Sendable {
    let index: Int
    let error: SystemError
  }

  /// The place of the file in the release.
  let index: Int
  let file: OpenFile
  /// Whether it had its final name already.
  let isRenamed: Bool

  init(_ index: Int, _ file: consuming OpenFile, isRenamed: Bool) {
    self.index = index
    self.file = file
    self.isRenamed = isRenamed
  }

  /// Makes the file read-only and durable.
  func publish(_ mode: UInt32) -> Failure? {
    do throws(SystemError) {
      try file.setMode(mode)
      try file.sync()
      return nil
    } catch {
      return Failure(index: index, error: error)
    }
  }
}
