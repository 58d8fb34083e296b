import Digests
import Repositories
import TUFSimulator
import Testing
import Trust

struct RepositoryTrialTests {
  private func trial(
    _ repository: RepositorySimulator,
    targets: [String: [UInt8]] = [:]
  ) throws -> RepositoryTrial {
    try RepositoryTrial(pin: repository.pin, now: RepositorySimulator.now) { path, _ in
      let metadata = "metadata/"
      if path.hasPrefix(metadata) {
        return repository.files[String(path.dropFirst(metadata.count))]
      }
      return targets[path]
    }
  }

  @Test func `a tree that clients accept is accepted, with its targets`() throws {
    var repository = try RepositorySimulator()
    let path = try #require(TargetPath("x/a.json"))
    try repository.delegate(
      to: "role",
      .paths([PathPattern("x/*")]),
      targets: [path: TargetFile(of: [1, 2])]
    )
    try repository.rotate(.root, to: [SimulatedKey("b")])
    try repository.release()
    let digest = try #require(TargetFile(of: [1, 2]).hashes.sha256?.hex)
    let trial = try trial(repository, targets: ["targets/x/\(digest).a.json": [1, 2]])
    #expect(trial.metadata.root.contents.header.version == 2)
    let found = try #require(try trial.find(path))
    #expect(try trial.document(found) == [1, 2])
    #expect(try trial.find(try #require(TargetPath("y"))) == nil)
  }

  @Test func `what clients refuse is refused`() throws {
    var repository = try RepositorySimulator()
    repository.files["1.targets.json"] = nil
    #expect(throws: RepositoryFault.self) { try trial(repository) }
    repository = try RepositorySimulator()
    let path = try #require(TargetPath("a"))
    repository.targets.targets[path] = TargetFile(of: [1])
    try repository.release()
    let digest = try #require(TargetFile(of: [1]).hashes.sha256?.hex)
    for wrong in [[2], [1, 1], nil] as [[UInt8]?] {
      let trial = try trial(repository, targets: ["targets/\(digest).a": wrong ?? []])
      let found = try #require(try trial.find(path))
      #expect(throws: RepositoryFault.self) { try trial.document(found) }
    }
  }

  @Test func `what the reading throws comes out as it is`() throws {
    struct Failure: Error, Equatable {}
    let pin = try RepositorySimulator().pin
    #expect(throws: Failure()) {
      try RepositoryTrial(pin: pin, now: RepositorySimulator.now) { _, _ in throw Failure() }
    }
  }
}
