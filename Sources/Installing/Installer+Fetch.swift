import Digests
import Manifests
import ModelStore
import SystemFiles
import Transfers
import Trust

extension Installer {
  /// Fetches the files that are not in the tree of the candidate yet, but for chunks that are installed already.
  ///
  /// Returns what the mirrors did; nil if nothing was missing.
  func fetchMissing(
    of candidate: borrowing Candidate,
    in model: borrowing StoredModel
  ) async throws -> FetchReport? {
    let missing = try candidate.incompleteFiles()
    guard !missing.isEmpty else { return nil }
    try model.requireSpace(for: candidate, now: now)
    let total = missing.reduce(0) { $0 + release.files[$1].size }
    report(.fetching(missing: try candidate.missingBytes(), total: total))
    let files = missing.map { release.files[$0] }
    let local = localChunks(for: files, damaged: candidate.isRepair ? candidate.name : nil)
    let requests = zip(missing, local).map { index, chunks in
      var fetch = FetchRequest(
        label: release.files[index].path.text,
        name: Candidate.transferName(index),
        size: release.files[index].size,
        digest: release.files[index].sha256,
        chunks: release.files[index].chunks,
        sources: sources(of: release.files[index])
      )
      fetch.localChunks = chunks
      return fetch
    }
    return try await Fetcher(options: request.transfer).fetch(requests, into: candidate.parts) {
      report(.transfer($0))
    }
  }

  /// Where chunks of these files may be on this machine.
  func localChunks(for files: [FileEntry], damaged: VersionName?) -> [[LocalChunk]] {
    request.installed?.chunks(for: files, of: release.model, damaged: damaged)
      ?? files.map { _ in [] }
  }

  /// The user's mirrors come first, then those of the file, those of the release, and the last ones; each URL once.
  private func sources(of file: FileEntry) -> [FetchSource] {
    var urls: Set<String> = []
    let all = request.mirrors + file.mirrors + release.mirrors + request.lastMirrors
    return all.compactMap { template in
      let url = template.url(of: file, in: release)
      return urls.insert(url).inserted ? FetchSource(mirror: template.text, url: url) : nil
    }
  }
}
