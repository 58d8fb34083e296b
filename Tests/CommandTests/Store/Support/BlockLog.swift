import Foundation
import SystemFiles
import TestSupport
import Testing

/// What a disk was told to write while a command ran, in its order.
///
/// `Tests/BlockLog` is the program that keeps the log: a file of FUSE that is mounted as a disk.
struct BlockLog: Sendable {
  enum Entry: Sendable {
    /// Bytes of the log that belong at an offset of the disk.
    case write(offset: Int, bytes: Range<Int>)
    case flush
    /// The command has told its success.
    case mark
  }

  let entries: [Entry]
  private let bytes: Data

  /// Builds the program; nil, with a notice, where there is no compiler or no libfuse3.
  static func program(in folder: String) async -> Tool? {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../BlockLog/block-log.c").standardized.path
    let program = "\(folder)/block-log"
    let build = """
      test -c /dev/fuse && for cc in clang gcc cc; do
        command -v $cc >/dev/null && exec $cc -o "$0" "$1" $(pkg-config --cflags --libs fuse3)
      done; exit 1
      """
    guard
      let outcome = try? await Tool.installed("sh")?.run(["-c", build, program, source]),
      outcome.ending == .exited(0)
    else {
      print("notice: no blocks are logged, for there is no libfuse3, compiler or /dev/fuse")
      return nil
    }
    return Tool(path: program, timeout: .seconds(600))
  }

  /// Runs `body` on the saved disk and keeps what reaches it; `body` is followed by the mark.
  init(
    of disk: LoopDisk,
    _ program: Tool,
    in folder: String,
    _ body: () async throws -> Void
  ) async throws {
    let place = "\(folder)/blocks"
    _ = try Folder(creating: place, mode: 0o700)
    let image = "\(folder)/logged.image"
    let copy = try await Tool.installed("cp")?.run(["--sparse=always", disk.savedImage, image])
    #expect(copy?.ending == .exited(0))
    let running = try program.start([image, "\(folder)/blocks.log", "-f", "-s", place])
    while running.isRunning, !FileManager.default.fileExists(atPath: "\(place)/disk") {
      await Task.yield()
    }
    var failure: (any Error)?
    do {
      try await disk.whileMounted("\(place)/disk") {
        try await body()
        try Data([1]).write(to: URL(filePath: "\(place)/mark"))
      }
    } catch {
      failure = error
    }
    _ = try await Tool.installed("umount")?.run([place])
    running.terminate()
    _ = await running.wait()
    if let failure { throw failure }
    bytes = try Data(contentsOf: URL(filePath: "\(folder)/blocks.log"))
    entries = try Self.entries(of: bytes)
  }

  private static func entries(of bytes: Data) throws -> [Entry] {
    var entries: [Entry] = []
    var place = 0
    while place + 24 <= bytes.count {
      let numbers = (0..<3).map { index in
        (0..<8).reduce(0) { $0 | Int(bytes[place + index * 8 + $1]) << ($1 * 8) }
      }
      place += 24
      switch numbers[0] {
      case 1:
        entries.append(.write(offset: numbers[1], bytes: place..<place + numbers[2]))
        place += numbers[2]
      case 2: entries.append(.flush)
      default: entries.append(.mark)
      }
    }
    return entries
  }

  /// Whether the program can be built here.
  static func canBeMade() async -> Bool {
    guard let folder = try? OwnFolder() else { return false }
    return await program(in: folder.path) != nil
  }

  /// The number of entries before the mark.
  var mark: Int {
    entries.firstIndex {
      if case .mark = $0 { true } else { false }
    } ?? entries.count
  }

  /// The entries up to which a disk that does as it is told has written everything before `end`.
  func lastFlush(before end: Int) -> Int {
    entries[..<end].lastIndex {
      if case .flush = $0 { true } else { false }
    } ?? 0
  }

  /// Writes some of the entries to a disk, in their order.
  func write(_ chosen: [Int], to file: borrowing OpenFile) throws {
    for index in chosen {
      guard case .write(let offset, let range) = entries[index] else { continue }
      try file.write(Array(bytes[range]).span, at: offset)
    }
  }
}
