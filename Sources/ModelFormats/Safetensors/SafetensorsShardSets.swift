import Manifests

/// Checks safetensors files that belong together: by their index, and by their names.
enum SafetensorsShardSets: ReleaseInspector {
  static func inspect(_ files: ReleaseFiles, into findings: inout ReleaseInspection) {
    var seen: Set<ShardName> = []
    for file in files.inspections where file.problem == nil {
      if file.kind == .safetensorsIndex {
        findings.refusing(file.path) { findings throws(FormatStop) in
          try check(index: file, files, into: &findings)
        }
      } else if file.kind == .safetensors, let name = ShardName(file.path) {
        // Every file of a set would say the same, and looking through it for each takes its length squared.
        guard seen.insert(name.first).inserted else { continue }
        let missing = (1...name.count).first { files[name.path(of: $0)] == nil }
        guard let missing else { continue }
        findings.refuse(file.path, .missingShard(name.path(of: missing)))
      }
    }
  }

  /// Where a tensor is said to be.
  private struct Entry {
    let hash: Int
    let file: Int32
    var isFound = false
  }

  private static func check(
    index file: FileInspection,
    _ files: ReleaseFiles,
    into findings: inout ReleaseInspection
  ) throws(FormatStop) {
    var entries: [Entry] = []
    let index = try files.read(file.path) { reader throws(FormatStop) in
      try SafetensorsIndex(&reader) { name, _, number in
        entries.append(Entry(hash: name.hashValue, file: Int32(number)))
      }
    }
    entries.sort { $0.hash < $1.hash }
    var dataBytes = 0
    for (number, name) in index.files.enumerated() {
      let name = String(decoding: name, as: UTF8.self)
      guard let shard = files.file(at: name, beside: file.path) else {
        findings.refuse(file.path, .missingShard(name))
        return
      }
      guard shard.problem == nil, shard.kind == .safetensors else { return }
      if case .integer(let count) = shard.report.more["dataBytes"] { dataBytes += count }
      let extra = try find(shard, Int32(number), in: &entries, files)
      if let extra { findings.warn(shard.path, fault("the index", "tensor \(extra)", "none")) }
    }
    if let lost = entries.first(where: { !$0.isFound }) {
      let name = String(decoding: index.files[Int(lost.file)], as: UTF8.self)
      let found = "not all of them"
      findings.refuse(
        file.path,
        .structure(fault("the index", "the tensors that it has for \(name)", found))
      )
    } else if let total = index.totalSize, total != dataBytes {
      findings.warn(file.path, fault("total_size", String(dataBytes), String(total)))
    }
  }

  /// Marks the tensors of a shard as found, and returns the name of one that the index doesn't have.
  private static func find(
    _ shard: FileInspection,
    _ number: Int32,
    in entries: inout [Entry],
    _ files: ReleaseFiles
  ) throws(FormatStop) -> String? {
    var extra: String?
    var ignored = FormatReport(.safetensors)
    try files.read(shard.path) { reader throws(FormatStop) in
      let header = try SafetensorsHeader(&reader)
      try header.walk(&reader, into: &ignored) { name, _, _ in
        if let place = place(of: name.hashValue, in: entries), entries[place].file == number {
          entries[place].isFound = true
        } else {
          extra = "\"\(String(decoding: name.prefix(128), as: UTF8.self))\""
        }
      }
    }
    return extra
  }

  private static func place(of hash: Int, in entries: [Entry]) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].hash == hash ? low : nil
  }

  private static func fault(
    _ subject: String,
    _ expected: String,
    _ found: String
  ) -> StructureFault {
    StructureFault(.shardMismatch, at: 0, subject, expected: expected, found: found)
  }
}
