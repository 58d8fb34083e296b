import Manifests

/// Checks that GGUF files which belong to a set are all there, in their order, and of one model.
enum GGUFShardSets: ReleaseInspector {
  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    var sets: [String: [(FileInspection, ShardName, Shard)]] = [:]
    for file in files.inspections where file.kind == .gguf && file.problem == nil {
      guard let shard = file.report.shard else { continue }
      guard let name = ShardName(file.path) else {
        findings.refuse(file.path, fault("the name", "PREFIX-00001-of-00002.gguf", file.path.text))
        continue
      }
      guard name.count == shard.count, name.number == shard.index + 1 else {
        findings.refuse(
          file.path,
          fault(
            "the name",
            "number \(shard.index + 1) of \(shard.count)",
            "number \(name.number) of \(name.count)"
          )
        )
        continue
      }
      sets[name.path(of: 1), default: []].append((file, name, shard))
    }
    for first in sets.keys.sorted() { check(sets[first] ?? [], files, into: &findings) }
  }

  private static func check(
    _ set: [(FileInspection, ShardName, Shard)],
    _ files: ReleaseFiles,
    into findings: inout ReleaseInspection
  ) {
    guard let (file, name, shard) = set.first else { return }
    for number in 1...shard.count where files[name.path(of: number)] == nil {
      findings.refuse(file.path, .missingShard(name.path(of: number)))
      return
    }
    // Files under the right names that say nothing of a set.
    guard set.count == shard.count else {
      findings.refuse(file.path, fault("the set", "\(shard.count) shards", String(set.count)))
      return
    }
    let tensors = set.reduce(0) { $0 + $1.2.ownTensors }
    for (file, _, shard) in set where shard.tensors != tensors {
      let found = shard.tensors.map(String.init) ?? "none"
      findings.refuse(file.path, fault(GGUFKeys.allTensors, String(tensors), found))
      return
    }
    findings.refusing(file.path) { findings throws(FormatStop) in
      try refuseRepetition(in: set.map(\.0.path), files, into: &findings)
    }
  }

  /// Refuses two tensors of one name in different files.
  private static func refuseRepetition(
    in paths: [RelativePath],
    _ files: ReleaseFiles,
    into findings: inout ReleaseInspection
  ) throws(FormatStop) {
    var names = Set<Int>()
    for path in paths {
      let own = try files.read(path) { reader throws(FormatStop) in
        try GGUFTensorNames.hashes(&reader)
      }
      guard names.isDisjoint(with: own) else {
        findings.refuse(path, fault("the tensors", "names of their own", "one of another shard"))
        return
      }
      names.formUnion(own)
    }
  }

  private static func fault(_ subject: String, _ expected: String, _ found: String) -> FormatFault {
    .structure(StructureFault(.shardMismatch, at: 0, subject, expected: expected, found: found))
  }
}

extension FormatReport {
  /// The place of the file in a set; nil if it is one by itself.
  var shard: Shard? {
    for link in links {
      if case .shard(let shard) = link { return shard }
    }
    return nil
  }
}
