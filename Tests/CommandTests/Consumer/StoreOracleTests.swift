import Foundation
import TestSupport
import Testing

/// The judge of the other tests sees what it is there to see.
@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct StoreOracleTests {
  private let release = ConsumerRelease(files: [
    "weights.bin": .random(3000), "deep/notes.txt": .random(10, seed: 2, chunkLength: nil),
  ])

  enum Damage: CaseIterable { case flip, cut, remove, add, manifest, record, seal, version }

  @Test(arguments: Damage.allCases)
  func `every damage of the active version is a violation`(damage: Damage) async throws {
    let home = try await ConsumerHome.trusting()
    try await home.installed(release)
    let oracle = home.oracle()
    let active = try #require(try oracle.active())
    #expect(active.version == "1.0.0")
    try await Self.makeWritable(home.store)
    try apply(damage, to: active.path, oracle.folder)
    #expect(throws: StoreOracle.Violation.self) { try oracle.active() }
  }

  private func apply(_ damage: Damage, to files: String, _ folder: String) throws {
    let weights = "\(files)/weights.bin"
    let record = "\(folder)/active.json"
    switch damage {
    case .flip: try change(weights) { $0[1000] ^= 1 }
    case .cut: try change(weights) { $0.removeLast() }
    case .remove: try FileManager.default.removeItem(atPath: "\(files)/deep/notes.txt")
    case .add: try Data([1]).write(to: URL(filePath: "\(files)/deep/more.txt"))
    case .manifest:
      try Data().write(to: URL(filePath: "\(files)/../manifest.json"))
    case .record: try change(record) { $0[30] ^= 1 }
    case .seal: try change(record) { $0[$0.count - 5] ^= 1 }
    case .version:
      try FileManager.default.removeItem(at: URL(filePath: files).deletingLastPathComponent())
    }
  }

  private func change(_ path: String, _ edit: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    edit(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  private static func makeWritable(_ path: String) async throws {
    let chmod = try #require(Tool.installed("chmod"))
    #expect(try await chmod.run(["-R", "u+w", path]).ending == .exited(0))
  }

  @Test func `a store without a record has nothing active`() throws {
    let oracle = StoreOracle(store: TemporaryFolder.current, model: "acme/tiny")
    #expect(try oracle.active() == nil)
  }
}
