import Glibc
import Manifests
import ModelStore
import ReleaseSimulator
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct LayoutTests {
  @Test func `a store has what its layout draws, with these modes`() throws {
    try Self.checkLayout()
  }

  @Test(arguments: [0, 0o027, 0o077])
  func `modes do not depend on the umask, nor on the rights of root`(mask: UInt32) async {
    await #expect(processExitsWith: .success) { [mask] in
      umask(mask)
      try becomeOrdinaryUser()
      try await TemporaryFolder.withFolder { try Self.checkLayout() }
    }
  }

  private static func checkLayout() throws {
    let bench = try Bench()
    let (old, new) = (try SimulatedRelease.tiny("1.0.0"), try SimulatedRelease.tiny("1.1.0"))
    try bench.install(old)
    try bench.install(new)
    let (one, two) = (try bench.name(of: old).text, try bench.name(of: new).text)
    var expected: Set = [
      "0600 STORE.json", "0700 floors/", "0600 floors/tiny.json", "0700 models/",
      "0700 models/tiny/", "0600 models/tiny/install.lock", "0600 models/tiny/state.lock",
      "0600 models/tiny/active.json", "models/tiny/current -> versions/\(two)/files",
      "0700 models/tiny/versions/", "0700 models/tiny/stamps/", "0700 models/tiny/staging/",
      "0700 models/tiny/trash/", "0600 store.lock", "0700 models/tiny/leases/",
      "0700 models/tiny/manifests/", "0600 models/tiny/versions/CACHEDIR.TAG",
      "0600 models/tiny/trash/CACHEDIR.TAG",
    ]
    for name in [one, two] {
      expected.formUnion([
        "0600 models/tiny/stamps/\(name).json", "0644 models/tiny/leases/\(name)",
        "0600 models/tiny/manifests/\(name).json", "0555 models/tiny/versions/\(name)/",
        "0444 models/tiny/versions/\(name)/manifest.json",
        "0555 models/tiny/versions/\(name)/files/",
        "0444 models/tiny/versions/\(name)/files/config.json",
        "0444 models/tiny/versions/\(name)/files/model.gguf",
        "0555 models/tiny/versions/\(name)/files/tokenizer/",
        "0444 models/tiny/versions/\(name)/files/tokenizer/merges.txt",
      ])
    }
    #expect(Set(try DiskTree(at: bench.path).lines) == expected)
    for release in [old, new] {
      for (path, bytes) in release.contents {
        #expect(try bench.read(bench.file(path, of: release)) == bytes)
      }
      let manifest = bench.place("versions/\(try bench.name(of: release).text)/manifest.json")
      #expect(try bench.read(manifest) == release.manifest(signedBy: [bench.signer]))
    }
  }

  @Test func `a candidate stands in staging, out of the way of backups`() throws {
    let bench = try Bench()
    let release = try SimulatedRelease.tiny()
    let model = try bench.model()
    let lock = try model.lockForInstall()
    let candidate = try model.candidate(for: bench.accepted(release), holding: lock)
    try bench.fill(candidate, from: release)
    let name = try bench.name(of: release).text
    let lines = try DiskTree(at: bench.place("staging")).lines
    #expect(
      lines == [
        "0700 \(name)/", "0600 \(name)/CACHEDIR.TAG", "0600 \(name)/journal.json",
        "0700 \(name)/parts/",
        "0600 \(name)/parts/0.part", "0600 \(name)/parts/1.part", "0600 \(name)/parts/2.part",
        "0700 \(name)/tree/", "0700 \(name)/tree/files/", "0444 \(name)/tree/manifest.json",
      ]
    )
    let tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
    #expect(try bench.read(bench.place("staging/\(name)/CACHEDIR.TAG")) == Array(tag.utf8))
  }

  @Test func `a model of two segments has one folder, and models come in the order of their names`()
    throws
  {
    let bench = try Bench()
    for model in ["a/z", "a-b", "a.b", "a"] {
      try bench.install(SimulatedRelease.tiny(model: model))
    }
    let store = try bench.storeForReading()
    #expect(try store.modelNames().map { $0.text } == ["a", "a-b", "a.b", "a/z"])
    let lines = try DiskTree(at: bench.path).lines
    #expect(lines.contains("0700 models/a+z/") && lines.contains("0600 floors/a+z.json"))
    let record = try store.model(ModelName("a/z")).activeRecord()
    #expect(record.model.text == "a/z")
  }

  @Test func `the paths of a model begin as the store was named`() throws {
    let bench = try Bench()
    let release = try SimulatedRelease.tiny()
    try bench.install(release)
    let model = try bench.model()
    let name = try bench.name(of: release)
    #expect(model.path == "\(bench.path)/models/tiny")
    #expect(
      model.filesPath(of: name) == "\(bench.path)/models/tiny/versions/\(name.text)/files"
    )
  }
}
