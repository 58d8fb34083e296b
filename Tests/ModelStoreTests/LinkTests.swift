import Foundation
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

/// Whoever can put a link into the store must not make the store write elsewhere.
@Suite(.temporaryFolder)
struct LinkTests {
  private let bench: Bench
  private let (one, two): (SimulatedRelease, SimulatedRelease)
  private let outside = TemporaryFolder.path("outside")

  init() throws {
    bench = try Bench()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
  }

  /// Moves what stands at `place` out of the store and leaves a link to it.
  private func moveOut(_ place: String) throws {
    try FileManager.default.moveItem(atPath: place, toPath: outside)
    try makeLink(at: place, to: outside)
  }

  private static let folders = [
    "models", "models/tiny", "models/tiny/versions", "models/tiny/stamps",
    "models/tiny/staging", "models/tiny/trash", "floors",
  ]

  @Test(arguments: folders)
  func `a link in the place of a folder is refused, and what it leads to is untouched`(
    name: String
  ) throws {
    try bench.install(one)
    try moveOut("\(bench.path)/\(name)")
    let canary = try DiskTree(at: outside)
    let error = #expect(throws: SystemError.self) { try bench.install(two) }
    #expect(error?.isEscape == true || error?.code == 20, "\(String(describing: error))")
    #expect(try DiskTree(at: outside) == canary)
  }

  @Test(arguments: [
    "STORE.json", "floors/tiny.json", "models/tiny/install.lock", "models/tiny/state.lock",
    "models/tiny/active.json",
  ])
  func `a link in the place of a file is refused, and what it leads to is untouched`(
    name: String
  ) throws {
    try bench.install(one)
    try moveOut("\(bench.path)/\(name)")
    let canary = try DiskTree(at: TemporaryFolder.current).entries["outside"]
    let error = #expect(throws: SystemError.self) { try bench.install(two) }
    #expect(error?.isEscape == true, "\(String(describing: error))")
    #expect(try DiskTree(at: TemporaryFolder.current).entries["outside"] == canary)
    #expect(
      try DiskTree(at: bench.path).entries[name]?.target == outside,
      "the link is left as evidence"
    )
  }

  @Test(arguments: ["install.lock", "state.lock"])
  func `a lock that is a link to nowhere makes no file there`(name: String) throws {
    _ = try bench.model()
    try makeLink(at: bench.place(name), to: outside)
    let error = #expect(throws: SystemError.self) { try bench.install(one) }
    #expect(error?.isEscape == true)
    #expect(try DiskTree(at: TemporaryFolder.current).entries["outside"] == nil)
  }

  @Test(arguments: ["", "/files", "/files/tokenizer", "/files/config.json"])
  func `a link inside a version is damage, and mending it does not touch what it leads to`(
    part: String
  ) throws {
    try bench.install(one)
    let version = bench.place("versions/\(try bench.name(of: one).text)")
    for folder in [version, "\(version)/files"] { try setMode(of: folder, 0o755) }
    let place = version + part
    // A folder that is moved gets another parent, for which it must be writable itself.
    if part != "/files/config.json" { try setMode(of: place, 0o755) }
    try moveOut(place)
    let canary = try DiskTree(at: TemporaryFolder.current).entries.filter {
      $0.key.hasPrefix("outside")
    }
    #expect(try !bench.isVerified(one, isFull: false))
    if part.isEmpty {
      #expect(throws: SystemError.self) { try bench.publish(one) }
    } else {
      try bench.publish(one)
      #expect(try bench.isVerified(one))
    }
    let left = try DiskTree(at: TemporaryFolder.current).entries.filter {
      $0.key.hasPrefix("outside")
    }
    #expect(left == canary)
  }

  @Test(arguments: ["tree", "tree/files", "parts", "tree/files/tokenizer"])
  func `a link inside a candidate is refused`(part: String) throws {
    let model = try bench.model()
    let lock = try model.lockForInstall()
    do {
      let candidate = try model.candidate(for: bench.accepted(one), holding: lock)
      try bench.fill(candidate, from: one)
    }
    let place = bench.place("staging/\(try bench.name(of: one).text)/\(part)")
    if part == "tree/files/tokenizer" {
      _ = try Folder(creating: place, mode: 0o700)
    }
    try moveOut(place)
    let canary = try DiskTree(at: outside)
    #expect(throws: SystemError.self) {
      var candidate = try model.candidate(for: bench.accepted(one), holding: lock)
      try bench.seal(&candidate)
      _ = try model.publish(candidate, acceptedAt: bench.now)
    }
    #expect(try DiskTree(at: outside) == canary)
  }

  @Test func `removing a version does not follow links in it`() throws {
    try bench.install(one)
    try bench.install(two)
    _ = try Folder(creating: "\(outside)/inner", mode: 0o755)
    try bench.write("canary", to: "\(outside)/inner/file")
    let files = try bench.file("", of: one)
    try setMode(of: files, 0o755)
    try makeLink(at: "\(files)link", to: outside)
    let canary = try DiskTree(at: outside)
    let model = try bench.model()
    try model.remove(one.version, holding: model.lockForInstall())
    try model.removeAll(holding: model.lockForInstall())
    #expect(try DiskTree(at: outside) == canary)
  }
}
