/// Small files as a release may hold them, valid in their format unless their name says otherwise.
///
/// The same arguments give the same bytes on every machine.
package enum SampleModel {
  /// A page in HTML such as comes instead of a model.
  package static let htmlPage = Array(
    "<!DOCTYPE html>\n<html><head><title>Access denied</title></head><body>Access denied</body></html>\n"
      .utf8
  )

  /// A pointer of Git LFS such as stands in a repository instead of a model.
  package static func lfsPointer(sha256: String, size: Int) -> [UInt8] {
    let text = "version https://git-lfs.github.com/spec/v1\noid sha256:\(sha256)\nsize \(size)\n"
    return Array(text.utf8)
  }

  /// The bytes of `elements` numbers of 32 bits between -1 and 1.
  static func weights(_ elements: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<elements).flatMap { _ in
      littleEndian(Float.random(in: -1..<1, using: &random).bitPattern)
    }
  }
}
