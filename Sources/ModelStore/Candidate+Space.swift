import Manifests
import SystemFiles
import Trust

extension Candidate {
  /// The places in the release of the files that are not in the tree yet.
  package func incompleteFiles() throws -> [Int] {
    try accepted.release.files.indices.filter { try !isComplete($0) }
  }

  /// The bytes that still have to be set aside on disk.
  package func missingBytes() throws -> Int {
    try incompleteFiles().reduce(0) { sum, index in
      let allocated = try parts.status(of: Self.partName(index))?.allocatedSize ?? 0
      return sum + max(0, accepted.release.files[index].size - allocated)
    }
  }

  /// Throws ``StoreError/notEnoughSpace(needed:free:)``, or the same for inodes, if what is missing cannot fit.
  ///
  /// What is in the trash goes before a release is refused.
  package func requireSpace() throws {
    let needed = try missingBytes() + StoreLayout.reservedBytes
    if try parts.freeSpace().bytes < needed {
      for entry in try trash.entries() where entry.name != StoreLayout.cacheTag {
        try? trash.removeTree(entry.name)
      }
    }
    let free = try parts.freeSpace()
    guard needed <= free.bytes else {
      throw StoreError.notEnoughSpace(needed: needed, free: free.bytes)
    }
    let files = accepted.release.files.count
    if let freeFiles = free.files, freeFiles < files {
      throw StoreError.notEnoughInodes(needed: files, free: freeFiles)
    }
  }
}
