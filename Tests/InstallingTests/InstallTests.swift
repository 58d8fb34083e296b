import Installing
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Transfers
import Trust
import Verification

@Suite(.temporaryFolder, .timeLimit(.minutes(5)))
struct InstallTests {
  private let client: Client
  private let (one, two): (SimulatedRelease, SimulatedRelease)

  init() throws {
    client = try Client()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
  }

  @Test func `a release is fetched, verified, published and active`() async throws {
    let installed = try await client.install(one)
    #expect(installed.steps == ["fetching", "published", "activated"])
    #expect(try client.has(one))
    let record = try #require(installed.outcome.record)
    #expect(try client.model().activeRecord() == record)
    #expect(record.generation == 1 && record.previous == nil && record.activatedAt == client.now)
    #expect(installed.outcome.filesPath == (try client.model().filesPath(of: record.active.name)))
    let size = try one.release().size
    #expect(installed.outcome.report?.mirrors.map(\.goodBytes) == [size])
    #expect(try client.model().status().state == .active)
    #expect(try client.candidates() == [])
  }

  @Test func `all bytes are verified as they lie on disk before anything is published`()
    async throws
  {
    let installed = try await client.install(one)
    let size = try one.release().size
    var verified = 0
    for event in installed.events {
      switch event {
      case .verifying(let done, let total):
        #expect(done > verified && total == size)
        verified = done
      case .published: #expect(verified == size)
      default: break
      }
    }
    #expect(verified == size)
  }

  @Test func `the next version becomes active, and the one before stays as the way back`()
    async throws
  {
    try await client.install(one)
    try await client.install(two)
    #expect(try client.versions() == ["1.0.0", "2.0.0"])
    #expect(try client.model().activeRecord().previous?.version == one.version)
    try await client.install(.tiny("3.0.0"))
    #expect(try client.versions() == ["2.0.0", "3.0.0"])
    #expect(try client.active() == "3.0.0")
  }

  @Test(arguments: [FileCheck.Depth.everyByte, .everyByteAndWhole])
  func `a release without any chunk table is installed`(depth: FileCheck.Depth) async throws {
    var release = one
    for index in release.files.indices { release.files[index].chunkLength = nil }
    let mirror = try FaultyMirror(release)
    var request = try client.request(release, from: [mirror.template])
    request.depth = depth
    try await client.install(request)
    #expect(try client.has(release))
  }

  @Test func `what is installed is not fetched again, only activated`() async throws {
    let mirror = try FaultyMirror(one)
    var request = try client.request(one, from: [mirror.template])
    request.activates = false
    let first = try await client.install(request)
    #expect(first.steps == ["fetching", "published"])
    #expect(first.outcome.record == nil)
    #expect(try client.active() == nil)
    #expect(try client.model().status().state == .ready)
    let count = mirror.requests.count
    request.activates = true
    let second = try await client.install(request)
    #expect(second.steps == ["alreadyInstalled", "activated"])
    #expect(second.outcome.report == nil)
    let third = try await client.install(request)
    #expect(third.outcome.record == second.outcome.record)
    #expect(mirror.requests.count == count)
  }

  @Test func `500 small files in many folders are installed over few connections`() async throws {
    let files = try (0..<500).map { number in
      try SimulatedFile(
        "folder \(number % 7)/part-\(number).txt",
        Array("file number \(number)".utf8),
        chunkLength: number % 2 == 0 ? nil : 8
      )
    }
    let release = try SimulatedRelease("tiny", "1.0.0", files: files)
    let mirror = try FaultyMirror(release)
    try await client.install(client.request(release, from: [mirror.template]))
    #expect(try client.has(release))
    #expect(mirror.requests.count == 500)
    #expect(Set(mirror.requests.map(\.connection)).count < 50)
  }

  @Test func `files may stand as deep as a path can be`() async throws {
    let deep = (1...31).map { "folder\($0)/" }.joined() + "a.txt"
    let release = try SimulatedRelease(
      "tiny",
      files: [SimulatedFile(deep, [1, 2]), SimulatedFile("folder1/a [b] (c), d@e=f+.txt", [3])]
    )
    try await client.install(release)
    #expect(try client.has(release))
  }

  @Test func `the user's mirrors are asked first, then the file's, then the release's`()
    async throws
  {
    let (own, file, general) = (
      try FaultyMirror(one, fault: .status(404)), try FaultyMirror(one, fault: .status(404)),
      try FaultyMirror(one)
    )
    var release = one
    release.files[0].mirrors = [try MirrorTemplate("\(file.url)/1.0.0/model.gguf")]
    var request = try client.request(release, from: [general.template])
    request.mirrors = [try MirrorTemplate(own.template)]
    let installed = try await client.install(request)
    #expect(installed.outcome.report?.mirrors.count == 3)
    #expect(Set(own.requests.map(\.path)).count == 3)
    #expect(Set(file.requests.map(\.path)) == ["/1.0.0/model.gguf"])
    own.set(.honest)
    let next = try Client.other()
    request.activates = false
    let count = general.requests.count
    try await next.install(request)
    #expect(general.requests.count == count)
  }
}
