import Foundation
import TestSupport
import Testing

/// A long file is written past the page cache; what goes wrong there costs no more than elsewhere.
@Suite(
  .temporaryFolder,
  .timeLimit(.minutes(10)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct DirectWriteFaultTests {
  enum Call: Sendable { case opening, write, reading }

  struct Case: Sendable, CustomTestStringConvertible {
    let fault: String
    /// What is done to the call; nil to change a byte of the part after it.
    let strike: Strike?
    var call = Call.write
    var code = 0
    var word = "is active"

    var testDescription: String { fault }
  }

  private static let (invalid, inputOutput) = (Int32(22), Int32(5))

  static let cases = [
    Case(fault: "the file system opens no file so", strike: .error(invalid), call: .opening),
    Case(fault: "the file system wants larger blocks", strike: .error(invalid)),
    Case(fault: "a write is short", strike: .shorten(5000)),
    Case(fault: "the medium fails", strike: .error(inputOutput), code: 8, word: "pwrite"),
    Case(fault: "a write lies", strike: .claim(9 << 20), word: "it is fetched again"),
    Case(fault: "bytes change before they are read back", strike: nil, word: "it is fetched again"),
    Case(
      fault: "bytes change after they were read back",
      strike: nil,
      call: .reading,
      word: "it is fetched again"
    ),
    Case(
      fault: "what was written cannot be read back",
      strike: .error(inputOutput),
      call: .reading
    ),
    Case(fault: "a reading back lies", strike: .claim(1 << 20), call: .reading),
  ]

  @Test(arguments: cases)
  func `a fault of a write past the page cache is made good, or told`(_ fault: Case) async throws {
    let scene = try await Scene()
    let spoil =
      "printf X | dd of=$(find \(scene.home.store) -name 0.part) bs=1 seek=5000 conv=notrunc"
    let strike = fault.strike ?? .after("\(spoil) 2>/dev/null")
    let outcome = try await scene.run(strike, at: fault.call)
    #expect(outcome.ending == .exited(fault.code), "\(outcome.errors)")
    #expect(outcome.errors.contains(fault.word), "\(outcome.errors)")
    let again = try await scene.home.run(scene.words)
    #expect(again.ending == .exited(0), "\(again.errors)")
  }

  @Test func `what comes from the page cache, whatever the file system promised, is read again`()
    async throws
  {
    let scene = try await Scene()
    let outcome = try await scene.run(.withhold(Self.directFlag), at: .opening)
    #expect(outcome.ending == .exited(0), "\(outcome.errors)")
    let read = try scene.striker.calls().count { $0.isOfPart && $0.name == "pread64" }
    guard scene.isReadBack else {
      return print("notice: nothing is read back on this file system")
    }
    #expect(read > scene.calls.count { $0.name == "pread64" })
  }

  /// `O_DIRECT`, which each kind of processor has at a place of its own.
  private static var directFlag: Int {
    #if arch(arm64)
      0o20_0000
    #else
      0o4_0000
    #endif
  }
}

/// An install that was run once, so that it is known what it calls.
private struct Scene {
  let home: ConsumerHome
  let words: [String]
  let striker: CallStriker
  /// The calls of the first run that touched the part of its long file.
  let calls: [StoreCall]

  init() async throws {
    home = try await ConsumerHome.trusting()
    let release = try LargeRelease(9 << 20, version: "1.1.0", chunkLength: 9 << 20, at: home)
    words = ["install", release.manifest, "--mirror", "file://\(release.folder)/{name}"]
    striker = try CallStriker(home)
    #expect(try await striker.run(words).ending == .exited(0))
    calls = try striker.calls().filter(\.isOfPart)
    // From the start again, so that the calls are the same.
    try FileManager.default.removeItem(atPath: home.store)
  }

  /// Whether the file is read behind the writer, before its pages are dropped to be read as a whole.
  var isReadBack: Bool {
    let end = calls.first { $0.name == "fadvise64" }?.number ?? 0
    return calls.contains { $0.name == "pread64" && $0.number < end }
  }

  /// Runs it with one call struck.
  func run(_ strike: Strike, at call: DirectWriteFaultTests.Call) async throws -> ToolOutcome {
    let write = try #require(calls.first { $0.name == "pwrite64" })
    let struck =
      switch call {
      // Looked for, made, and opened once more.
      case .opening: try #require(calls.last { $0.name == "openat2" && $0.number < write.number })
      case .write: write
      case .reading: try #require(calls.first { $0.name == "pread64" })
      }
    return try await striker.run(words, [StrikeRule(strike, like: struck)])
  }
}

extension StoreCall {
  fileprivate var isOfPart: Bool { paths.first?.hasSuffix("/parts/0.part") ?? false }
}
