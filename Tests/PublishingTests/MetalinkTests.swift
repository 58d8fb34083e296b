import Digests
import Manifests
import Publishing
import SystemFiles
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct MetalinkTests {
  private static let bytes = SampleBytes(seed: 9).prefix(1000)

  /// A release of one file, `a&b` being in a mirror's query, with chunks of these lengths.
  private func release(
    _ lengths: [Int]?,
    mirrors: [String] = ["https://example.com/x?a=1&b={name}"]
  ) throws -> Release {
    var table = ChunkTable()
    for length in lengths ?? [] {
      let piece = Array(Self.bytes[table.size..<table.size + length])
      table.append(length: length, digest: SHA256Digest(of: piece))
    }
    let file = FileEntry(
      path: try RelativePath("sub/w.gguf"),
      size: Self.bytes.count,
      sha256: SHA256Digest(of: Self.bytes),
      chunks: lengths == nil ? nil : table
    )
    return try Release(
      model: try ModelName("acme/tiny"),
      version: try Version("1.0.0"),
      released: try Timestamp("2026-11-30T00:00:00Z"),
      files: [file],
      mirrors: try mirrors.map { try MirrorTemplate($0) }
    )
  }

  private func text(_ release: Release, _ pieces: EqualPieces? = nil) throws -> String {
    let link = try Metalink(release, pieces: pieces ?? EqualPieces(release), generator: "g/1")
    return String(decoding: link.bytes, as: UTF8.self)
  }

  private func piece(_ range: Range<Int>) -> String {
    "      <hash>\(SHA256Digest(of: Array(Self.bytes[range])))</hash>\n"
  }

  @Test func `a file with equal chunks is written with its pieces`() throws {
    let release = try release([400, 400, 200])
    #expect(
      try text(release) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <metalink xmlns="urn:ietf:params:xml:ns:metalink">
          <generator>g/1</generator>
          <published>2026-11-30T00:00:00Z</published>
          <file name="sub/w.gguf">
            <identity>acme/tiny</identity>
            <version>1.0.0</version>
            <size>1000</size>
            <hash type="sha-256">\(SHA256Digest(of: Self.bytes))</hash>
            <pieces length="400" type="sha-256">
        \(piece(0..<400))\(piece(400..<800))\(piece(800..<1000))    </pieces>
            <url priority="1">https://example.com/x?a=1&amp;b=sub%2Fw.gguf</url>
          </file>
        </metalink>

        """
    )
  }

  @Test(arguments: [[100, 400, 400, 100], [400, 600], nil])
  func `other chunks make no pieces, unless the file itself is there`(lengths: [Int]?) throws {
    let release = try release(lengths)
    #expect(try !text(release).contains("<pieces"))
    var pieces = EqualPieces(release)
    #expect(pieces.missing(of: release) == release.files)
    try write(Self.bytes, to: "sub/w.gguf")
    try pieces.hash(release, in: TemporaryFolder.current) { _ in true }
    let length = lengths?.max() ?? 1 << 20
    #expect(try text(release, pieces).contains("<pieces length=\"\(length)\" type=\"sha-256\">"))
    #expect(try text(release, pieces).contains(piece(0..<min(length, 1000))))
  }

  @Test func `a file that is not the one of the manifest gives no pieces`() throws {
    let release = try release(nil)
    try write(Self.bytes + [0], to: "sub/w.gguf")
    var pieces = EqualPieces(release)
    let expected = PublishingError.otherBytes(
      try RelativePath("sub/w.gguf"),
      expected: SHA256Digest(of: Self.bytes),
      found: SHA256Digest(of: Self.bytes + [0])
    )
    #expect(throws: expected) {
      try pieces.hash(release, in: TemporaryFolder.current) { _ in true }
    }
    #expect(throws: CancellationError.self) {
      try pieces.hash(release, in: TemporaryFolder.current) { _ in false }
    }
  }

  @Test func `a file that nobody can fetch is refused`() throws {
    let release = try release(nil, mirrors: ["file:///srv/{name}"])
    let path = try RelativePath("sub/w.gguf")
    #expect(throws: PublishingError.noMirrorToExport(path)) { try text(release) }
    let other = try MirrorTemplate("http://example.com/{name}")
    let link = try Metalink(release, with: [other], pieces: EqualPieces(release), generator: "g")
    #expect(
      String(decoding: link.bytes, as: UTF8.self).contains(">http://example.com/sub/w.gguf</url>")
    )
  }
}
