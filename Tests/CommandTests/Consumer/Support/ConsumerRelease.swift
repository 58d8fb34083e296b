import Digests
import Manifests
import ReleaseSimulator
import TestSupport

/// A release as a test writes it down: names and bytes, and what the manifest is to say besides.
struct ConsumerRelease: Sendable {
  /// The bytes of one file, and how the manifest cuts them.
  struct Content: Sendable {
    let bytes: [UInt8]
    var chunkLength: Int? = 1 << 20
    /// What is signed as the digest of the whole file; nil for the right one.
    var signedDigest: SHA256Digest?

    /// Pseudo-random bytes, the same for the same seed.
    static func random(_ count: Int, seed: UInt64 = 1, chunkLength: Int? = 1 << 20) -> Content {
      Content(bytes: SampleBytes(seed: seed).prefix(count), chunkLength: chunkLength)
    }
  }

  var model = "acme/tiny"
  var version = "1.0.0"
  var files: [String: Content]
  var runtimes: [RuntimeRequirement] = []
  var details = ReleaseDetails()

  /// The release with all that a publisher makes of it.
  func simulated() throws -> SimulatedRelease {
    let files = try files.map { name, content in
      var file = try SimulatedFile(name, content.bytes, chunkLength: content.chunkLength)
      file.signedDigest = content.signedDigest
      return file
    }
    var release = try SimulatedRelease(model, version, files: files)
    release.runtimes = runtimes
    release.details = details
    return release
  }

  /// The manifest with the signatures of `signers`.
  func envelope(signedBy signers: [SimulatedSigner]) throws -> [UInt8] {
    try simulated().manifest(signedBy: signers)
  }
}

extension ConsumerRelease {
  /// A release of one file that differs from version to version, and is the same each time.
  static func seeded(_ version: String) -> ConsumerRelease {
    let seed = UInt64(version.utf8.reduce(0) { $0 + Int($1) })
    return ConsumerRelease(version: version, files: ["weights.bin": .random(50_000, seed: seed)])
  }
}
