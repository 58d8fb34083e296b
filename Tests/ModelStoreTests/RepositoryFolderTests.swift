import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing
import Trust

@Suite(.temporaryFolder)
struct RepositoryFolderTests {
  private let path = TemporaryFolder.path("store")

  @Test func `what is known of a repository has a folder beside the models`() throws {
    let bench = try Bench()
    let store = try Store(changing: path)
    #expect(store.repositoryModes == (0o700, 0o600, 0o600))
    let folder = try store.repositoryFolder(RepositoryName("acme"))
    try folder.replaceFile("root.json", with: [1], mode: 0o600)
    _ = try store.repositoryFolder(RepositoryName("acme"))
    try bench.install(SimulatedRelease.tiny())
    let lines = try DiskTree(at: path).lines
    #expect(
      lines.filter { $0.contains("repositories") } == [
        "0700 repositories/", "0700 repositories/acme/", "0600 repositories/acme/root.json",
      ]
    )
    let reader = try bench.storeForReading()
    #expect(try reader.modelNames().map(\.text) == ["tiny"])
    #expect(try reader.oddEntries() == [])
  }

  @Test func `reading makes no folder, and forgetting leaves the others`() throws {
    let store = try Store(changing: path)
    func isThere(_ name: String) throws -> Bool {
      switch try store.existingRepositoryFolder(RepositoryName(name)) {
      case .some: true
      case .none: false
      }
    }
    #expect(try !isThere("acme"))
    try store.removeRepository(RepositoryName("acme"))
    #expect(try DiskTree(at: path).lines == ["0600 STORE.json", "0600 store.lock"])
    for name in ["acme", "other"] { _ = try store.repositoryFolder(RepositoryName(name)) }
    #expect(try store.repositoryNames().map(\.text) == ["acme", "other"])
    // What a killed process has left goes too.
    try Folder(path: "\(path)/repositories").createFolder(".gone-1", mode: 0o700)
    try store.removeRepository(RepositoryName("acme"))
    #expect(try !isThere("acme"))
    #expect(try isThere("other"))
    #expect(try DiskTree(at: "\(path)/repositories").lines == ["0700 other/"])
  }

  @Test func `a store whose file is lost is known by what it knows of repositories`() throws {
    _ = try Store(changing: path).repositoryFolder(RepositoryName("acme"))
    try Folder(path: path).removeFile("STORE.json")
    _ = try Store(changing: path)
    #expect(try DiskTree(at: path).lines.contains("0600 STORE.json"))
  }

  @Test func `a link in the place of the folder is not followed`() throws {
    let store = try Store(changing: path)
    let outside = TemporaryFolder.path("outside")
    _ = try Folder(creating: outside, mode: 0o700)
    try Folder(path: path).replaceLink("repositories", target: outside)
    let name = try RepositoryName("acme")
    #expect(throws: SystemError.self) { _ = try store.repositoryFolder(name) }
    try Folder(path: outside).createFolder("acme", mode: 0o700)
    try store.removeRepository(RepositoryName("acme"))
    #expect(try DiskTree(at: outside).lines == ["0700 acme/"])
  }
}
