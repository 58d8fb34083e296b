import Digests
import SystemFiles

/// A file while it arrives: its bytes in `<name>.part`, its journal beside it.
///
///     <name>.part      set aside in full; right where the chunks say so, anything elsewhere
///     <name>.journal   see ``PartJournal``; gone once all is verified and synced
final class PartFile {
  /// The bytes that are written at a time; larger writes cost the kernel several times as much.
  static let pieceSize = 128 * 1024

  let file: OpenFile
  /// Whether an earlier run left the part.
  let isResumed: Bool
  private let folder: PartFolder
  private let request: FetchRequest
  private let layout: PartJournal
  private var journal: JournalFile?

  /// The name of the part of the file `name`.
  static func partName(_ name: String) -> String { "\(name).part" }
  private static func journalName(_ name: String) -> String { "\(name).journal" }

  /// Opens the part of `request`, or makes it and sets its room aside.
  ///
  /// A part that is longer than the file is none of ours: its name is removed, its inode left as it is.
  init(_ request: FetchRequest, in folder: PartFolder) throws(SystemError) {
    self.request = request
    self.folder = folder
    layout = PartJournal(for: request)
    let name = Self.partName(request.name)
    if let left = try Self.openLeft(name, size: request.size, in: folder) {
      file = left
      isResumed = true
      try file.preallocate(request.size)
    } else {
      try folder.folder.removeFile(Self.journalName(request.name))
      let made = try folder.folder.createFile(name, mode: 0o600)
      do {
        try made.preallocate(request.size)
      } catch {
        // ext4 keeps what a failed call had set aside already.
        try? folder.folder.removeFile(name)
        throw error
      }
      file = made
      isResumed = false
    }
  }

  private static func openLeft(
    _ name: String,
    size: Int,
    in folder: PartFolder
  ) throws(SystemError) -> OpenFile? {
    do {
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
      journal = JournalFile(file: try folder.folder.openFileForWriting(name), end: end)
      return claims
    } catch {
      return nil
    }
  }

  /// Adds a claim to the journal; what was claimed before it began anew is in `earlier`.
  func claim(_ claim: Int, earlier: () -> [Int] = { [] }) throws(SystemError) {
    if journal == nil { try startJournal(claiming: earlier()) }
    try journal?.append(layout.record(claim))
  }

  private func startJournal(claiming claims: [Int]) throws(SystemError) {
    let name = Self.journalName(request.name)
    try folder.folder.removeFile(name)
    let made = JournalFile(file: try folder.folder.createFile(name, mode: 0o600), end: 0)
    try made.append(claims.reduce(into: layout.header) { $0 += layout.record($1) })
    journal = made
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

  /// Makes the verified bytes durable and removes the journal.
  ///
  /// After an error nobody knows what the medium holds, so the part is removed.
  func finish() throws(SystemError) {
    do {
      try file.sync()
    } catch {
      try? folder.folder.removeFile(Self.partName(request.name))
      throw error
    }
    try folder.folder.removeFile(Self.journalName(request.name))
  }
}

/// The caller's folder, opened once more so that the engine's thread may keep it.
final class PartFolder: Sendable {
  let folder: Folder

  init(_ folder: borrowing Folder) throws(SystemError) { self.folder = try folder.openFolder(".") }
}

/// The open journal and the place of the next record.
private final class JournalFile {
  private let file: OpenFile
  private var end: Int

  init(file: consuming OpenFile, end: Int) {
    self.file = file
    self.end = end
  }

  func append(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes.span, at: end)
    end += bytes.count
  }
}
