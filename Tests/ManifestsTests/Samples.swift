import Digests
import Manifests
import Signatures
import StrictJSON

/// The key pairs of RFC 8032, tests 1 and 2.
enum Keys {
  static let first = key("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
  static let second = key("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")

  static let firstSeed = bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
  static let secondSeed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")

  /// Signs as the owner of a seed would.
  static func sign(_ message: [UInt8], seed: [UInt8]) throws -> Signature {
    try SecretKey(seed: SecretBytes(copying: seed.span)).sign(message)
  }

  private static func key(_ hex: String) -> PublicKey {
    guard let key = try? PublicKey(bytes: bytes(hex)) else { fatalError("a published key") }
    return key
  }

  private static func bytes(_ hex: String) -> [UInt8] { SHA256Digest(hex: hex)?.bytes ?? [] }
}

/// A release of two files, one of them empty, with everything that a manifest can say.
enum Samples {
  static func digest(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

  static func file(
    _ path: String,
    size: Int = 5,
    chunks: ChunkTable? = nil
  ) throws -> FileEntry {
    FileEntry(path: try RelativePath(path), size: size, sha256: digest(path), chunks: chunks)
  }

  static func table(_ lengths: [Int]) -> ChunkTable {
    var table = ChunkTable()
    for length in lengths { table.append(length: length, digest: digest("\(length)")) }
    return table
  }

  static func release(_ files: [FileEntry]) throws -> Release {
    try Release(
      model: ModelName("acme/tiny-chat"),
      version: Version("1.2.3-rc.1"),
      released: Timestamp("2026-11-30T00:00:00Z"),
      files: files
    )
  }

  static func smallRelease() throws -> Release { try release([try file("a.bin")]) }

  static func fullRelease() throws -> Release {
    let llama = try RuntimeRequirement(
      name: RuntimeName("llama.cpp"),
      scheme: .build,
      minimum: "b5873",
      below: "b90000",
      exclude: ["b6000..b6010", "b6100"],
      because: ["architecture lfm2 b5873"]
    )
    let weights = FileEntry(
      path: try RelativePath("data/model Q4 (1).gguf"),
      size: 7,
      sha256: digest("weights"),
      role: .weights,
      format: FormatFacts(
        name: FormatName(known: "gguf"),
        version: 3,
        architecture: "lfm2",
        types: ["Q4_K", "Q6_K", "F32"],
        more: [
          "alignment": .integer(32), "tokenizer": .text("gpt2"), "domains": .list(["a", "b"]),
          "tensors": .counts(["F32": 3, "Q4_K": 9]),
        ],
        basis: .declared
      ),
      chunks: table([3, 4]),
      runtimes: [llama],
      mirrors: [try MirrorTemplate("https://example.org/a%20b.gguf?download=true")],
      basis: .declared
    )
    let empty = FileEntry(
      path: try RelativePath("EMPTY"),
      size: 0,
      sha256: .ofNothing,
      chunks: ChunkTable()
    )
    return try Release(
      model: ModelName("lfm2-2.6b"),
      version: Version("1.0.0"),
      released: Timestamp("2026-11-30T00:00:00Z"),
      license: License("LicenseRef-LFM-1.0"),
      files: [weights, empty],
      runtimes: [llama],
      mirrors: [try MirrorTemplate("https://example.com/blobs/sha256/{sha256}")],
      details: ReleaseDetails(
        expires: Timestamp("2030-01-01T00:00:00Z"),
        title: "Tïny \"chat\"\u{1}",
        notes: "line\nline",
        baseModels: ["acme/base"],
        provenance: ["builder": "make", "steps": [1, ["deep": true]]],
        needs: HostNeeds(memory: 1 << 31, disk: 0, platform: ["linux-x86_64"]),
        critical: ["expires", "files.chunks", "files.format.types"]
      )
    )
  }
}

/// Returns the error that `body` throws; nil if it throws none.
func error(_ body: () throws(ManifestError) -> Void) -> ManifestError? {
  do { try body() } catch { return error }
  return nil
}
