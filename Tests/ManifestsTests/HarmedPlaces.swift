import Foundation

/// Where a document is cut, and where its bits are flipped.
///
/// Every byte that JSON gives a meaning to is among them, with its neighbours, and so is every seventh byte of the texts
/// between them, of which one is read as the next. `SEALIFT_ALL_PLACES=1` takes every place, which takes minutes where a
/// sanitizer looks on.
struct HarmedPlaces {
  let cuts: [Int]
  let flips: [Int]

  init(_ bytes: [UInt8]) {
    guard ProcessInfo.processInfo.environment["SEALIFT_ALL_PLACES"] == nil else {
      (cuts, flips) = (Array(bytes.indices), Array(bytes.indices))
      return
    }
    let marks = Set(bytes.indices.filter { "{}[]:,\"\\".utf8.contains(bytes[$0]) })
    let near = marks.union(marks.map { $0 + 1 }).filter(bytes.indices.contains)
    let chosen = near.union(stride(from: 0, to: bytes.count, by: 7))
    // Bytes of each kind that stand nowhere else are not to be missed.
    let firsts = Dictionary(bytes.indices.map { (bytes[$0], $0) }) { first, _ in first }.values
    flips = chosen.union(firsts).sorted()
    cuts = flips
  }
}
