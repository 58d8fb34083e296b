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
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: String
    let strike: Strike
    var isOfWrite = true
    var code = 0
    var word = "is active"

    var testDescription: String { fault }
  }

  private static let (invalid, inputOutput) = (Int32(22), Int32(5))

  static let cases = [
    Case(fault: "the file system opens no file so", strike: .error(invalid), isOfWrite: false),
    Case(fault: "the file system wants larger blocks", strike: .error(invalid)),
    Case(fault: "a write is short", strike: .shorten(5000)),
    Case(fault: "the medium fails", strike: .error(inputOutput), code: 8, word: "pwrite"),
    Case(fault: "a write lies", strike: .claim(9 << 20), word: "it is fetched again"),
  ]

  @Test(arguments: cases)
  func `a fault of a write past the page cache is made good, or told`(_ fault: Case) async throws {
    let home = try await ConsumerHome.trusting()
    let release = try LargeRelease(9 << 20, version: "1.1.0", chunkLength: 9 << 20, at: home)
    let words = ["install", release.manifest, "--mirror", "file://\(release.folder)/{name}"]
    let striker = try CallStriker(home)
    #expect(try await striker.run(words).ending == .exited(0))
    let calls = try striker.calls().filter(\.isOfPart)
    let write = try #require(calls.first { $0.name == "pwrite64" })
    // Looked for, made, and opened once more.
    let opening = try #require(calls.last { $0.name == "openat2" && $0.number < write.number })
    // From the start again, so that the calls are the same.
    try FileManager.default.removeItem(atPath: home.store)
    let outcome = try await striker.run(
      words,
      [StrikeRule(fault.strike, like: fault.isOfWrite ? write : opening)]
    )
    #expect(outcome.ending == .exited(fault.code), "\(outcome.errors)")
    #expect(outcome.errors.contains(fault.word), "\(outcome.errors)")
    let again = try await home.run(words)
    #expect(again.ending == .exited(0), "\(again.errors)")
  }
}

extension StoreCall {
  fileprivate var isOfPart: Bool { paths.first?.hasSuffix("/parts/0.part") ?? false }
}
