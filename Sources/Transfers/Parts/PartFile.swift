import Digests
import SystemFiles
import Synchronization

/// A file while it arrives: its bytes in `<name>.part`, its journal beside it.
///
///     <name>.part      set aside in full; right where the chunks say so, anything elsewhere
///     <name>.journal   see ``PartJournal``; gone once all is verified and synced
///
/// Several threads write chunks of it. It is never made shorter: a process that does not see our lock may write
/// the same bytes to the same places.
final class PartFile: Sendable {
  /// The bytes that are written at a time; larger writes cost the kernel several times as much.
  static let pieceSize = 128 * 1024

  private struct Notes: ~Copyable {
    var journal: OpenFile?
    /// The place of the next record.
    var end = 0
    /// The chunks that were found right on disk before there was a journal of this run.
    var found: [Int] = []
    /// Whether the journal is one that an earlier run began.
    var isContinued = false
  }

  let file: OpenFile
  /// The same file, for what is written past the page cache; nil where nothing is.
  let direct: OpenFile?
  /// The chunks that were read back.
  let readings: Readings
  /// Whether an earlier run left the part.
  let isResumed: Bool
  private let folder: PartFolder
  private let request: FetchRequest
  private let layout: PartJournal
  private let notes = Mutex(Notes())

  /// The name of the part of the file `name`.
  static func partName(_ name: String) -> String { "\(name).part" }
  static func journalName(_ name: String) -> String { "\(name).journal" }

  /// Opens the part of `request`, or makes it and sets its room aside.
  ///
  /// A part that is longer than the file is none of ours: its name is removed, its inode left as it is.
  /// Throws `EWOULDBLOCK` for a part that another process has locked.
  init(_ request: FetchRequest, in folder: PartFolder) throws(SystemError) {
    self.request = request
    self.folder = folder
    layout = PartJournal(for: request)
    let name = Self.partName(request.name)
    if let left = try Self.openLeft(name, size: request.size, in: folder) {
      file = left
      isResumed = true
    } else {
      try folder.folder.removeFile(Self.journalName(request.name))
      file = try folder.folder.createFile(name, mode: 0o600)
      isResumed = false
    }
    let watch = Self.watch(file, request, in: folder)
    switch try Self.openDirect(request, as: file, in: folder) {
    case .some(let opened):
      direct = consume opened
      readings = Readings(watch: watch)
    case .none:
      direct = nil
      readings = Readings(watch: nil)
    }
    try setAside(name)
  }

  private func setAside(_ name: String) throws(SystemError) {
    do throws(SystemError) {
      guard try file.lockIfFree() else {
        throw SystemError("flock", code: SystemError.wouldBlock, path: name)
      }
      try file.preallocate(request.size)
    } catch {
      // ext4 keeps what a failed call had set aside already.
      if !isResumed { try? folder.folder.removeFile(name) }
      throw error.at(request.label)
    }
  }

  private static func openLeft(
    _ name: String,
    size: Int,
    in folder: PartFolder
  ) throws(SystemError) -> OpenFile? {
    do {
      if let status = try folder.folder.status(of: name), status.mode & 0o200 == 0 {
        // A run that ended between making it read-only and giving it its final name has left it so.
        try folder.folder.openFile(name).setMode(0o600)
      }
      let file = try folder.folder.openFileForWriting(name)
      if try file.status().size <= size { return file }
      try folder.folder.removeFile(name)
      return nil
    } catch let error where error.isNotFound {
      return nil
    }
  }

  /// What the journal claims; nil if there is none that can be believed even as a hint.
  func claims() throws(SystemError) -> [Int]? {
    let name = Self.journalName(request.name)
    let most = 2 * max(request.chunks?.chunks.count ?? 0, request.size >> 20) + 4096
    let limit = layout.header.count + PartJournal.recordSize * most
    do {
      guard let bytes = try folder.folder.readFile(name, limit: limit),
        let claims = layout.claims(in: bytes)
      else { return nil }
      let end = layout.header.count + PartJournal.recordSize * claims.count
      try notes.withLock { notes throws(SystemError) in
        notes.journal = try folder.folder.openFileForWriting(name)
        (notes.end, notes.isContinued) = (end, true)
      }
      return claims
    } catch {
      return nil
    }
  }

  /// Adds a claim to the journal, which begins with what was found on disk before.
  ///
  /// A file of one chunk needs no journal: there is nothing to go on with.
  func claim(_ claim: Int) throws(SystemError) {
    if request.isSinglePiece { return }
    try notes.withLock { notes throws(SystemError) in
      do throws(SystemError) {
        if notes.journal == nil { try begin(&notes) }
        try append(layout.record(claim), &notes)
      } catch {
        // Another process may have made the journal, where locks lie; it is a hint, and the part holds without it.
        if error.isDiskFull { throw error }
      }
    }
  }

  /// Notes a chunk that was found right on disk.
  func found(_ chunk: Int) throws(SystemError) {
    try notes.withLock { notes throws(SystemError) in
      if notes.isContinued { return }
      if notes.journal == nil {
        notes.found.append(chunk)
      } else {
        try append(layout.record(chunk), &notes)
      }
    }
  }

  private func begin(_ notes: inout Notes) throws(SystemError) {
    let name = Self.journalName(request.name)
    try folder.folder.removeFile(name)
    notes.journal = try folder.folder.createFile(name, mode: 0o600)
    let bytes = notes.found.reduce(into: layout.header) { $0 += layout.record($1) }
    notes.found = []
    try append(bytes, &notes)
  }

  private func append(_ bytes: [UInt8], _ notes: inout Notes) throws(SystemError) {
    try notes.journal?.write(bytes.span, at: notes.end)
    notes.end += bytes.count
  }

  /// Writes `bytes` at `offset`, piece by piece.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let end = min(done + Self.pieceSize, bytes.count)
      try file.write(bytes.extracting(done..<end), at: offset + done)
      done = end
    }
  }

  /// Makes the verified bytes durable and removes the journal, unless that is left to `syncPart`.
  ///
  /// Returns what was read back, once nothing waits for that any more. After an error nobody knows what the medium holds, so
  /// the part is removed.
  func finish(syncs: Bool) throws(SystemError) -> ReadBack? {
    guard try file.status().size == request.size else {
      throw SystemError("fstat", code: SystemError.inputOutput, path: Self.partName(request.name))
    }
    do {
      if syncs { try file.syncData() }
    } catch {
      try? folder.folder.removeFile(Self.partName(request.name))
      throw error
    }
    // Until the part is synced, a kill may leave the file system in doubt about what was written.
    if syncs { try folder.folder.removeFile(Self.journalName(request.name)) }
    return try readings.result(of: file)
  }
}

/// The caller's folder, opened once more so that the engine's threads may keep it.
final class PartFolder: Sendable {
  let folder: Folder

  init(_ folder: borrowing Folder) throws(SystemError) { self.folder = try folder.openFolder(".") }

  /// Makes the part of a finished file durable and removes its journal.
  func syncPart(_ name: String) throws(SystemError) {
    let part = PartFile.partName(name)
    do {
      try folder.openFileForWriting(part).syncData()
    } catch let error where error.isMissing {
      // Another process, where locks lie, has given the part its final name.
    } catch {
      try? folder.removeFile(part)
      throw error
    }
    try folder.removeFile(PartFile.journalName(name))
  }
}
