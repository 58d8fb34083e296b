package import Manifests
import SystemFiles
import Trust

extension Candidate {
  /// The places in the release of the files that are not in the tree yet.
  package func incompleteFiles() throws -> [Int] {
    try indices.filter { try !isComplete($0) }
  }

  /// The bytes that still have to be set aside on disk.
  package func missingBytes() throws -> Int {
    try incompleteFiles().reduce(0) { sum, index in
      let allocated = try parts.status(of: Self.partName(index))?.allocatedSize ?? 0
      return sum + max(0, accepted.release.files[index].size - allocated)
    }
  }
}

extension StoredModel {
  /// Throws ``StoreError/notEnoughSpace(needed:free:)``, or the same for inodes, if what is missing cannot fit.
  ///
  /// What is in the trash goes before a release is refused, and no more of it than is needed: first what is on its way
  /// out at `now`, then what a person removed, the oldest first, if that makes room enough.
  package func requireSpace(for candidate: borrowing Candidate, now: Timestamp) throws {
    let needed = try candidate.missingBytes() + StoreLayout.reservedBytes
    if try folder.freeSpace().bytes < needed { try makeRoom(for: needed, now: now) }
    let free = try folder.freeSpace()
    guard needed <= free.bytes else {
      throw StoreError.notEnoughSpace(needed: needed, free: free.bytes)
    }
    let files = candidate.indices.count
    if let freeFiles = free.files, freeFiles < files {
      throw StoreError.notEnoughInodes(needed: files, free: freeFiles)
    }
  }

  private func makeRoom(for needed: Int, now: Timestamp) throws {
    try withStateLock {
      let trash = try folder.openFolder(StoreLayout.trash)
      let doomed = try doomedTrash(at: now)
      try delete(doomed, in: trash, until: needed)
      var removed: [(name: String, bytes: Int, changedAt: Int)] = []
      for entry in try trashEntries() where entry.isKept && !doomed.contains(entry.name) {
        guard let status = try trash.status(of: entry.name) else { continue }
        let bytes = try trash.openFolder(entry.name).allocatedSize()
        removed.append((entry.name, bytes, status.changedAt))
      }
      let most = removed.reduce(try folder.freeSpace().bytes) { $0 + $1.bytes }
      guard most >= needed else { return }
      let names = removed.sorted { $0.changedAt < $1.changedAt }.map(\.name)
      try delete(names, in: trash, until: needed)
    }
  }

  /// Deletes these in their order until there is room for so many bytes.
  private func delete(
    _ names: [String],
    in trash: borrowing Folder,
    until needed: Int
  ) throws(SystemError) {
    for name in names {
      guard try folder.freeSpace().bytes < needed else { return }
      // What cannot be deleted makes no room, and stays for the next time.
      try? trash.removeTree(name)
    }
  }
}
