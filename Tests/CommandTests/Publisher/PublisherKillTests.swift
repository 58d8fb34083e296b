import Foundation
import Manifests
import TestSupport
import Testing

/// Whoever signs or merges and is killed before any one of the system calls leaves the old manifest or the new one.
///
/// The run of every day strikes some of the points; `scripts/test-kill` strikes each.
@Suite(
  .temporaryFolder,
  .serialized,
  .timeLimit(.minutes(60)),
  .enabled("this process must not trace others", CallStriker.isAvailable)
)
struct PublisherKillTests {
  /// A command that changes `work/m.json`, or makes `work/out.json`.
  struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: [String]
    var output = "m.json"
    /// The exit code of the same command once the change is there.
    var repeated = 2
  }

  private static let keys = ["--key", "keys/a.pub", "--key", "keys/b.pub"]

  private static let scenes = [
    Scene(testDescription: "sign", words: ["sign", "work/m.json", "--key", "keys/b.key"]),
    Scene(
      testDescription: "sign --signer",
      words: ["sign", "work/m.json", "--signer", "cat b.sig", "--pub", "keys/b.pub"]
    ),
    Scene(
      testDescription: "sign --attach",
      words: ["sign", "work/m.json", "--attach", "b.sig", "--pub", "keys/b.pub"]
    ),
    Scene(
      testDescription: "sign --emit-payload",
      words: ["sign", "work/m.json", "--emit-payload", "--output", "work/out.json"],
      output: "out.json",
      repeated: 0
    ),
    Scene(
      testDescription: "signatures merge",
      words: ["signatures", "merge", "work/m.json", "b.json"] + keys,
      repeated: 0
    ),
    Scene(
      testDescription: "signatures merge --output",
      words: ["signatures", "merge", "work/m.json", "b.json", "--output", "work/out.json"] + keys,
      output: "out.json",
      repeated: 0
    ),
  ]

  @Test(arguments: scenes)
  func `whatever call it was killed before, the manifest is the old one or the new one`(
    _ scene: Scene
  ) async throws {
    let old = try await prepare()
    var tool = try Tool.built("sealift-publish")
    tool.folder = TemporaryFolder.current
    let striker = try CallStriker(
      tool,
      watching: TemporaryFolder.path("work"),
      log: TemporaryFolder.path("calls.log")
    )
    #expect(try await striker.run(scene.words).ending == .exited(0))
    let new = try contents("work/\(scene.output)")
    let calls = try striker.calls()
    #expect(calls.count > 15, "\(calls)")
    let points = SweepLength.isWhole ? calls : SweepLength.points(calls.filter(\.changes), 4)
    for point in points {
      try reset(to: old)
      let killed = try await striker.run(scene.words, [StrikeRule(.kill, at: point.number)])
      #expect(killed.ending == .signalled(9), "\(point)")
      let found = isThere("work/\(scene.output)") ? try contents("work/\(scene.output)") : nil
      let before = scene.output == "m.json" ? old : nil
      #expect(found == before || found == new, "\(point)")
      if scene.output != "m.json" { #expect(try contents("work/m.json") == old, "\(point)") }
      try await goOn(scene, isDone: found == new, new, point)
    }
    print("\(scene.testDescription): killed at \(points.count) of \(calls.count) calls")
  }

  /// Runs the same command again, which ends the work and leaves nothing beside its result.
  private func goOn(_ scene: Scene, isDone: Bool, _ new: [UInt8], _ point: StoreCall) async throws {
    let again = try await publish(scene.words)
    #expect(again.exitCode == (isDone ? scene.repeated : 0), "\(point): \(again.errors)")
    #expect(try contents("work/\(scene.output)") == new, "\(point)")
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.path("work"))
    if !isDone { #expect(Set(names) == ["m.json", scene.output], "\(point)") }
  }

  /// Makes two keys, a manifest that the first has signed, and what the second has made of it elsewhere.
  private func prepare() async throws -> [UInt8] {
    try await makeKey("a")
    try await makeKey("b")
    try await buildManifest()
    _ = try await publish("sign", "m.json", "--key", "keys/a.key")
    let old = try contents("m.json")
    try place(old, at: "b.json")
    _ = try await publish("sign", "b.json", "--key", "keys/b.key")
    let both = try Envelope(parsing: try contents("b.json"))
    try place(try #require(both.signatures.last).bytes, at: "b.sig")
    try place(old, at: "work/m.json")
    return old
  }

  private func reset(to old: [UInt8]) throws {
    try FileManager.default.removeItem(atPath: TemporaryFolder.path("work"))
    try place(old, at: "work/m.json")
  }
}
