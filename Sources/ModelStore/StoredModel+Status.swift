import Manifests
import SystemFiles

extension StoredModel {
  /// Looks at the model without a lock and without writing; reads no bytes of model files.
  package func status() throws -> ModelStatus {
    let candidates = try candidates()
    return ModelStatus(
      model: name,
      record: try recordState(),
      versions: try versionNames().map {
        ModelStatus.StoredVersion(name: $0, proof: try proof(of: $0))
      },
      candidates: candidates,
      stagingBytes: candidates.reduce(0) { $0 + $1.bytesOnDisk } + (try otherStagingBytes()),
      bad: try badVersions(),
      pins: try pinnedVersions(),
      isBusy: try folder.isLocked(StoreLayout.installLock)
    )
  }

  /// The candidates that can be looked into; what another process takes away meanwhile is not there.
  private func candidates() throws -> [ModelStatus.StoredCandidate] {
    try namesInStaging().compactMap { VersionName($0) }.compactMap { name in
      guard let size = try? stagingSize(name.text) else { return nil }
      let place = "\(StoreLayout.staging)/\(name.text)/\(StoreLayout.journal)"
      let bytes = try? folder.readFile(place, limit: StoreLayout.recordLimit)
      return .init(
        name: name,
        bytesOnDisk: size,
        journal: bytes.flatMap { $0 }.flatMap(Journal.init)
      )
    }
  }

  /// The bytes of what lies in staging under another name than that of a version.
  private func otherStagingBytes() throws -> Int {
    try namesInStaging().filter { VersionName($0) == nil }
      .reduce(0) { $0 + ((try? stagingSize($1)) ?? 0) }
  }

  /// Somebody else's staging may be closed to this user, who then sees none of it.
  private func namesInStaging() throws -> [String] {
    do {
      return try stagingEntries()
    } catch let error as SystemError where error.isNotWritable {
      return []
    }
  }

  private func stagingSize(_ name: String) throws -> Int {
    try folder.openFolder(StoreLayout.staging).openFolder(name).allocatedSize()
  }

  /// What a look without reading bytes says of a version.
  ///
  /// Throws what keeps the look from being made, which is no word about the version.
  package func proof(of name: VersionName) throws -> ModelStatus.Proof {
    guard let stamp = try stamp(of: name), name.belongs(to: stamp.manifest) else {
      return .unproven
    }
    guard stamp.vouches else { return .damaged }
    guard let files = try files(of: name)
    else { return .unproven }
    switch try StampLook(at: stamp.facts.files.map(\.path), in: files) {
    case .missing(let path): return .changed(firstFile: path)
    case .whole(let facts): return stamp.facts.proof(by: facts)
    }
  }
}

extension StampFacts {
  /// What a look says that has found every file.
  fileprivate func proof(by found: StampFacts) -> ModelStatus.Proof {
    if let (old, _) = zip(files, found.files).first(where: { $0 != $1 }) {
      return .changed(firstFile: old.path)
    }
    guard folders != found.folders else { return .stamped }
    let changed = found.folders.first { !folders.contains($0) }?.path ?? ""
    return .changedFolder(
      changed.isEmpty ? StoreLayout.files : "\(StoreLayout.files)/\(changed)"
    )
  }
}
