import Digests
import Manifests
import Testing

struct ReleaseTests {
  @Test func `a release comes back from its bytes`() throws {
    for release in [try Samples.smallRelease(), try Samples.fullRelease()] {
      let bytes = release.encode()
      let decoded = try Release(payload: bytes)
      #expect(decoded == release)
      #expect(decoded.encode() == bytes)
    }
  }

  @Test func `the bytes are canonical`() throws {
    let digest = Samples.digest("a.bin").hex
    let expected = """
      {"_type":"https://in-toto.io/Statement/v1","predicate":{"files":{"a.bin":{"format":{"name":"other"},\
      "role":"other","sha256":"\(digest)","size":5}},"mirrors":[],"model":"acme/tiny-chat",\
      "released":"2026-11-30T00:00:00Z","runtimes":[],"version":"1.2.3-rc.1"},\
      "predicateType":"urn:sealift:model-release:v1",\
      "subject":[{"digest":{"sha256":"\(digest)"},"name":"a.bin"}]}
      """
    #expect(String(decoding: try Samples.smallRelease().encode(), as: UTF8.self) == expected)
  }

  @Test func `the order in which files are given does not matter`() throws {
    let files = try ["b", "a", "c/d", "B2"].map { try Samples.file($0) }
    let release = try Samples.release(files)
    #expect(release.files.map(\.path.text) == ["B2", "a", "b", "c/d"])
    #expect(try Samples.release(files.reversed()).encode() == release.encode())
    #expect(release.size == 20)
  }

  @Test func `a release has files`() {
    #expect(throws: ManifestError.release(.noFiles)) { try Samples.release([]) }
  }

  @Test func `a release has at most 100,000 files`() throws {
    let files = try (0...100_000).map { try Samples.file("f\($0)") }
    #expect(throws: ManifestError.release(.tooManyFiles(limit: 100_000, found: 100_001))) {
      try Samples.release(files)
    }
    #expect(try Samples.release(Array(files.dropLast())).files.count == 100_000)
  }

  @Test(arguments: [-1, 1 << 53, .min, .max])
  func `a size is from 0 to 2^53 - 1`(size: Int) throws {
    let path = try RelativePath("a")
    #expect(throws: ManifestError.release(.badSize(file: path, size: size))) {
      try Samples.release([try Samples.file("a", size: size)])
    }
  }

  @Test func `the files together have at most 2^53 - 1 bytes`() throws {
    let most = FileEntry.maximumSize
    #expect(try Samples.release([try Samples.file("a", size: most)]).size == most)
    let files = try ["a", "b", "c"].map { try Samples.file($0, size: most) }
    #expect(throws: ManifestError.release(.tooLarge)) { try Samples.release(files) }
  }

  @Test(arguments: [([2, 2], 4), ([], 0), ([5, 1], 6)])
  func `chunks cover their file`(lengths: [Int], covered: Int) throws {
    let path = try RelativePath("a")
    let file = try Samples.file("a", size: 5, chunks: Samples.table(lengths))
    #expect(throws: ManifestError.release(.chunksDiffer(file: path, size: 5, covered: covered))) {
      try Samples.release([file])
    }
  }

  @Test func `a chunk has at most 16 MiB`() throws {
    let length = (16 << 20) + 1
    let file = try Samples.file("a", size: length, chunks: Samples.table([length]))
    let error = ReleaseProblem.badChunkLength(file: file.path, chunk: 0, length: length)
    #expect(throws: ManifestError.release(error)) { try Samples.release([file]) }
  }

  @Test func `all files together have at most 131,072 chunks`() throws {
    let half = Samples.table(Array(repeating: 1, count: 65_536))
    let files = try ["a", "b"].map { try Samples.file($0, size: 65_536, chunks: half) }
    #expect(try Samples.release(files).files.count == 2)
    let more = files + [try Samples.file("c", size: 1, chunks: Samples.table([1]))]
    #expect(throws: ManifestError.release(.tooManyChunks(limit: 131_072))) {
      try Samples.release(more)
    }
  }

  @Test func `an empty file needs no chunks`() throws {
    for chunks in [nil, ChunkTable()] {
      let release = try Samples.release([try Samples.file("a", size: 0, chunks: chunks)])
      #expect(try Release(payload: release.encode()) == release)
    }
  }

  @Test func `paths that collide make no release`() throws {
    let files = try ["Model", "model"].map { try Samples.file($0) }
    #expect(throws: ManifestError.release(.pathsCollide("Model", "model"))) {
      try Samples.release(files)
    }
  }
}
