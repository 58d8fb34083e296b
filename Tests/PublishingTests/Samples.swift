import Foundation
import Manifests
import Publishing
import Signatures
import SystemFiles
import TestSupport

/// Writes a file beneath the folder of the running test, with the folders on the way.
@discardableResult
func write(_ bytes: [UInt8], to name: String) throws -> String {
  let path = TemporaryFolder.path(name)
  _ = try Folder(creating: splitPath(path).folder, mode: 0o755)
  try Data(bytes).write(to: URL(filePath: path))
  return path
}

extension ReleaseDraft {
  /// A draft of `tiny` 1.0.0 at a fixed time.
  static func sample(
    mirrors: [String] = [],
    format: String? = nil,
    declared: [String] = []
  ) throws -> ReleaseDraft {
    ReleaseDraft(
      model: try ModelName("tiny"),
      version: try Version("1.0.0"),
      released: try Timestamp("2026-11-30T00:00:00Z"),
      mirrors: try mirrors.map { try MirrorTemplate($0) },
      format: try format.map { try FormatName($0) },
      declared: try declared.map { try DeclaredFile($0) }
    )
  }
}

extension ReleaseBuilder {
  /// Builds the release of `paths` in the folder of the running test.
  static func build(
    _ paths: [String],
    _ draft: ReleaseDraft,
    report: (Progress) -> Bool = { _ in true }
  ) throws -> BuiltRelease {
    let listing = try SourceListing(paths.map(TemporaryFolder.path))
    return try ReleaseBuilder(draft, listing).build(report: report)
  }
}

/// A key with a fixed seed, different for each number.
func sampleKey(_ number: UInt8) throws -> SecretKey {
  var seed = [UInt8](repeating: number, count: SecretKey.seedByteCount)
  return try SecretKey(seed: SecretBytes(wiping: &seed))
}

/// The error that `body` throws, if it is of the type that is expected.
func failure<Failure: Error>(_ body: () throws -> Void) -> Failure? {
  do { try body() } catch { return error as? Failure }
  return nil
}

/// A model of a few MiB, so of several chunks; only its header is more than noise.
let largeModel = SampleModel.gguf(architecture: "lfm2") + SampleBytes().prefix(2_800_000)
