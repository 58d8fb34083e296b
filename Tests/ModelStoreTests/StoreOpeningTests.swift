import Foundation
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct StoreOpeningTests {
  private let path = TemporaryFolder.path("store")

  /// Opens the store for changing it and gives what that throws.
  private func failure() -> StoreError? {
    do {
      _ = try Store(changing: path)
      return nil
    } catch let error as StoreError {
      return error
    } catch {
      Issue.record(error)
      return nil
    }
  }

  private func isStoreThere() throws -> Bool {
    guard let store = try Store.open(reading: path) else { return false }
    #expect(store.path == path)
    return true
  }

  private func makeFolder(_ path: String, mode: UInt32 = 0o700) throws {
    _ = try Folder(creating: path, mode: mode)
  }

  @Test func `a store is made where there is nothing, or an empty folder`() throws {
    _ = try Store(changing: path)
    #expect(try DiskTree(at: path).lines == ["0600 STORE.json", "0600 store.lock"])
    let text = "{\n  \"format\": \"sealift.store/1\"\n}\n"
    #expect(try readFile(at: "\(path)/STORE.json", limit: 100) == Array(text.utf8))
    try makeFolder("\(path)2")
    _ = try Store(changing: "\(path)2")
    #expect(try DiskTree(at: "\(path)2").lines == ["0600 STORE.json", "0600 store.lock"])
  }

  @Test func `reading makes nothing`() throws {
    #expect(try !isStoreThere())
    #expect(try DiskTree(at: TemporaryFolder.current).entries.isEmpty)
    try makeFolder(path)
    let store = try Bench().storeForReading()
    #expect(try store.modelNames() == [])
    let tiny = try ModelName("tiny")
    #expect(throws: StoreError.noSuchModel(tiny)) { try store.model(tiny).status() }
    #expect(try DiskTree(at: path).entries.isEmpty)
  }

  @Test(arguments: ["photo.jpg", "Models", ".git"])
  func `a folder with something else in it becomes no store`(name: String) throws {
    try makeFolder("\(path)/models")
    try makeFolder("\(path)/\(name)")
    let before = try DiskTree(at: path)
    #expect(failure() == .notAStore(path: path, found: name))
    #expect(throws: StoreError.notAStore(path: path, found: name)) {
      try isStoreThere()
    }
    try replaceFile(at: "\(path)/STORE.json", with: [], mode: 0o600)
    #expect(failure() == .notAStore(path: path, found: name))
    try Folder(path: path).removeFile("STORE.json")
    #expect(try DiskTree(at: path).lines == before.lines)
  }

  @Test(arguments: ["sealift.store/2", ""])
  func `a store of another format is left alone`(format: String) throws {
    try makeFolder(path)
    let text = "{\"format\":\"\(format)\"}"
    try replaceFile(at: "\(path)/STORE.json", with: Array(text.utf8), mode: 0o600)
    let before = try DiskTree(at: path)
    #expect(failure() == .notAStore(path: path, found: format))
    #expect(try DiskTree(at: path) == before)
  }

  @Test(arguments: ["", "{", "\u{0}\u{0}\u{0}", "[]", "{\"format\":1}"])
  func `a damaged store file is written anew, and the models are there`(text: String) throws {
    let bench = try Bench()
    let record = try bench.install(SimulatedRelease.tiny())
    let good = try bench.read("\(path)/STORE.json")
    try bench.write(text, to: "\(path)/STORE.json")
    let store = try Bench().storeForReading()
    #expect(try store.model(ModelName("tiny")).activeRecord() == record)
    #expect(try bench.read("\(path)/STORE.json") == Array(text.utf8))
    #expect(try bench.model().activeRecord() == record)
    #expect(try bench.read("\(path)/STORE.json") == good)
  }

  @Test func `a store that was killed while it was made is made`() throws {
    try makeFolder(path)
    let temporary = "STORE.json.0123456789abcdef0123456789abcdef"
    try replaceFile(at: "\(path)/\(temporary)", with: [1], mode: 0o600)
    #expect(failure() == nil)
    #expect(try DiskTree(at: path).lines == ["0600 STORE.json", "0600 store.lock"])
  }

  @Test(arguments: [0o720, 0o702, 0o777] as [UInt32])
  func `a store that others can write is refused`(mode: UInt32) throws {
    try makeFolder(path)
    try setMode(of: path, mode)
    let owner = FileStatus.currentUser
    #expect(failure() == .unsafeOwnership(path: path, owner: owner, mode: mode))
    #expect(try DiskTree(at: path).entries.isEmpty)
  }

  @Test func `a store of somebody else is refused`() async throws {
    try makeFolder(path, mode: 0o755)
    try setMode(of: TemporaryFolder.current, 0o755)
    let (path, isRoot) = (path, FileStatus.currentUser == 0)
    guard isRoot else { return }
    await #expect(processExitsWith: .success) { [path = path as String] in
      try becomeOrdinaryUser()
      #expect(throws: StoreError.unsafeOwnership(path: path, owner: 0, mode: 0o755)) {
        _ = try Store(changing: path)
      }
    }
  }

  @Test func `the store itself may be reached through a link and be moved`() throws {
    let bench = try Bench()
    let record = try bench.install(SimulatedRelease.tiny())
    let (link, moved) = (TemporaryFolder.path("link"), TemporaryFolder.path("moved"))
    try makeLink(at: link, to: "store")
    #expect(try Store(changing: link).model(ModelName("tiny")).activeRecord() == record)
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    let status = try Store(changing: moved).model(ModelName("tiny")).status()
    #expect(status.state == .active)
  }
}
