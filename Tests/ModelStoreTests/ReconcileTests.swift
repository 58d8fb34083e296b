import Foundation
import Manifests
import ModelStore
import ReleaseSimulator
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct ReconcileTests {
  private static let digits = "0123456789abcdef0123456789abcdef"

  private let bench: Bench
  private let (one, two): (SimulatedRelease, SimulatedRelease)

  init() throws {
    bench = try Bench()
    (one, two) = (try .tiny("1.0.0"), try .tiny("2.0.0"))
    try bench.install(one)
    try bench.install(two)
  }

  @Test func `what killed processes left is gone after it, and nothing else`() throws {
    let whole = Set(try DiskTree(at: bench.path).lines)
    let floor = "\(bench.path)/floors/tiny.json"
    let newFloor = try bench.read(floor)
    for place in [
      bench.place("active.json.\(Self.digits)"), "\(floor).\(Self.digits)",
      bench.place("stamps/9.9.9-0123456789abcdef.json"),
      bench.place("stamps/\(try bench.name(of: one).text).json.\(Self.digits)"),
    ] { try bench.write("torn", to: place) }
    try makeLink(at: bench.place("current.\(Self.digits)"), to: "versions")
    try makeLink(at: bench.place("trash/link"), to: bench.path)
    _ = try Folder(creating: bench.place("trash/x/files"), mode: 0o555)
    try FileManager.default.removeItem(atPath: bench.place("current"))
    try makeLink(at: bench.place("current"), to: "versions/1.0.0/files")
    try FileManager.default.removeItem(atPath: floor)

    try bench.reconcile()
    #expect(Set(try DiskTree(at: bench.path).lines) == whole)
    #expect(try bench.read(floor) == newFloor)
    #expect(try bench.model().status().state == .active)
  }

  @Test func `a second time changes nothing, not even a time`() throws {
    try bench.reconcile()
    let before = try DiskTree(at: bench.path)
    try bench.reconcile()
    #expect(try DiskTree(at: bench.path) == before)
  }

  @Test func `a folder of a version that a killed process left writable is read-only again`() throws
  {
    let whole = try DiskTree(at: bench.path).lines
    let name = try bench.name(of: one)
    try setMode(of: bench.place("versions/\(name.text)"), 0o700)
    #expect(try bench.model().reconcileSteps(now: nil) == [.closeFolder(name)])
    try bench.reconcile()
    #expect(try DiskTree(at: bench.path).lines == whole)
  }

  @Test func `names that only look like temporary ones stay`() throws {
    let names = ["active.json.old", "active.json.\(Self.digits)0", "my-current.\(Self.digits)"]
    for name in names { try bench.write("mine", to: bench.place(name)) }
    try bench.reconcile()
    let left = Set(try Folder(path: bench.place()).entries().map(\.name))
    #expect(left.isSuperset(of: names))
  }

  @Test func `trash is emptied of names that are no text too`() throws {
    _ = try Folder(creating: bench.place("trash/x"), mode: 0o700)
    let remove = try makeFileWithoutText(in: bench.place("trash/x"))
    defer { remove() }
    try bench.write("y", to: bench.place("trash/y"))
    try bench.reconcile()
    #expect(try Folder(path: bench.place("trash")).entries().map(\.name) == ["CACHEDIR.TAG"])
  }

  @Test(arguments: ["link", "file"])
  func `current is a link again where it was something else`(kind: String) throws {
    try FileManager.default.removeItem(atPath: bench.place("current"))
    if kind == "file" { try bench.write("x", to: bench.place("current")) }
    try bench.reconcile()
    let target = try Folder(path: bench.place()).linkTarget("current")
    #expect(target == "versions/\(try bench.name(of: two).text)/files")
  }

  @Test(arguments: [true, false])
  func `a folder in the place of current goes, by reconciling or an activation`(
    isActivated: Bool
  ) throws {
    let whole = try DiskTree(at: bench.path).lines
    let link = bench.place("current")
    try FileManager.default.removeItem(atPath: link)
    _ = try Folder(creating: "\(link)/files", mode: 0o555)
    try setMode(of: link, 0o555)
    if isActivated {
      try bench.activate(one)
      try bench.activate(two)
    } else {
      try bench.reconcile()
    }
    #expect(try DiskTree(at: bench.path).lines == whole)
  }

  @Test(arguments: ["folder", "pipe", "link"])
  func `what is no lease in the place of one is replaced, once`(kind: String) throws {
    let name = try bench.name(of: two)
    let lease = bench.place("leases/\(name.text)")
    try FileManager.default.removeItem(atPath: lease)
    switch kind {
    case "folder": _ = try Folder(creating: "\(lease)/x", mode: 0o700)
    case "pipe": try makePipe(at: lease)
    default: try makeLink(at: lease, to: bench.path)
    }
    let model = try bench.model()
    #expect(try model.reconcileSteps(now: nil) == [.replaceLease(name)])
    #expect(try model.reconcile(now: nil) == [.replaceLease(name)])
    #expect(try model.reconcile(now: nil) == [])
    let held = try model.lease(name)
    let isHeld = held.isHeld
    #expect(isHeld)
    held.release()
  }
}
