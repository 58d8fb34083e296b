import Digests
import Dispatch
import Glibc
import SystemFiles
import TestSupport
import Testing
import Transfers

/// A chunk counts as read back only if that was after the last of its writes.
@Suite(.temporaryFolder, .timeLimit(.minutes(1)))
final class ReadingsTests {
  private let folder: Folder
  private let file: OpenFile
  private let readings: Readings

  init() throws {
    let folder = try Folder(path: TemporaryFolder.current)
    let file = try folder.createFile("part", mode: 0o600)
    try file.write(SampleBytes(seed: 1).prefix(16_384).span, at: 0)
    try file.sync()
    readings = Readings(watch: try FileWatch(file))
    self.folder = folder
    self.file = file
  }

  private func found() throws -> Set<Int>? {
    try readings.result(of: file)?.chunks(of: file.status())
  }

  private func write(_ piece: Int) -> Int {
    let number = readings.willWrite(piece)
    readings.didWrite(piece)
    return number
  }

  private func read(_ piece: Int, of write: Int, isRight: Bool = true) {
    readings.begin()
    readings.end(piece, of: write, isRight: isRight)
  }

  @Test func `what was written and then read right counts`() throws {
    for piece in [2, 5] { read(piece, of: write(piece)) }
    read(4, of: write(4), isRight: false)
    _ = write(3)
    #expect(try found() == [2, 5])
  }

  @Test func `without a reading that was right there is nothing to tell`() throws {
    read(1, of: write(1), isRight: false)
    #expect(try found() == nil)
  }

  @Test func `a second write makes the first reading worth nothing, however they end`() throws {
    read(0, of: write(0))
    read(1, of: write(1))
    _ = write(1)
    let (first, second) = (readings.willWrite(2), readings.willWrite(2))
    readings.didWrite(2)
    read(2, of: first)
    // The other write still goes on.
    read(2, of: second)
    readings.didWrite(2)
    #expect(try found() == [0])
  }

  @Test func `the second copy counts once both were written`() throws {
    let (first, second) = (readings.willWrite(7), readings.willWrite(7))
    readings.didWrite(7)
    readings.didWrite(7)
    read(7, of: second)
    read(7, of: first, isRight: false)
    #expect(try found() == [7])
  }

  @Test func `a write that never ends keeps its chunk from counting`() throws {
    read(0, of: write(0))
    read(1, of: write(1))
    _ = readings.willWrite(1)
    #expect(try found() == [0])
  }

  @Test func `nothing counts once the part was cut by its name, for which nobody opened it`() throws
  {
    read(0, of: write(0))
    let path = TemporaryFolder.path("part")
    for size in [4096, 16_384] { #expect(unsafe truncate(path, size) == 0) }
    #expect(try file.status().size == 16_384)
    #expect(try found() == nil)
  }

  @Test func `the result waits for what is being read`() throws {
    let write = write(9)
    readings.begin()
    DispatchQueue.global().async { [readings] in readings.end(9, of: write, isRight: true) }
    #expect(try found() == [9])
  }

  @Test(arguments: [true, false])
  func `nothing counts once anybody opened the part, or where nobody can see that`(
    isWatched: Bool
  ) throws {
    let readings = Readings(watch: isWatched ? try FileWatch(file) : nil)
    let number = readings.willWrite(0)
    readings.didWrite(0)
    readings.begin()
    readings.end(0, of: number, isRight: true)
    if isWatched { _ = try folder.openFile("part") }
    #expect(try readings.result(of: file) == nil)
  }
}
