import Digests
import Manifests
import Signatures
import StrictJSON
import Trust

extension RepositoryDraft {
  /// What is different in a part from what is published, a line each, for those who are to sign it.
  package func differences(_ part: DraftPart) -> [String] {
    switch part {
    case .policy: policy.map { ["policy of \($0.payload.count) bytes"] } ?? []
    case .role(.root): rootDifferences
    case .role(.snapshot): versionDifference(.snapshot, snapshot?.contents.header)
    case .role(.timestamp): versionDifference(.timestamp, timestamp?.contents.header)
    case .role(let role): targetsDifferences(role)
    }
  }

  private func versionDifference(_ role: RoleName, _ header: MetadataHeader?) -> [String] {
    guard let header else { return [] }
    return ["\(role.text) version \(header.version), expires \(header.expires)"]
  }

  private var rootDifferences: [String] {
    guard let next = root?.contents else { return [] }
    var lines = versionDifference(.root, next.header)
    for role in Self.topLevel {
      let old = base?.root.contents[role]?.publicKeys(in: base?.root.contents.keys ?? KeyTable())
      let new = next[role]?.publicKeys(in: next.keys) ?? []
      for key in new where old?.contains(key) != true {
        lines.append("+ \(role.text) \(key.fingerprint)")
      }
      for key in old ?? [] where !new.contains(key) {
        lines.append("- \(role.text) \(key.fingerprint)")
      }
      if let threshold = next[role]?.threshold, threshold != base?.root.contents[role]?.threshold {
        lines.append("  \(role.text) needs \(threshold) of \(new.count)")
      }
    }
    return lines
  }

  private func targetsDifferences(_ role: RoleName) -> [String] {
    guard let next = targets[role]?.contents else { return [] }
    let published = role == .targets ? base?.targets : base?.bins[role]
    let old = published?.contents.targets ?? [:]
    var lines = versionDifference(role, next.header)
    let paths = Set(old.keys).union(next.targets.keys).sorted { $0.text < $1.text }
    for path in paths where old[path] != next.targets[path] {
      if let file = old[path] { lines.append("- \(Self.line(path, file))") }
      if let file = next.targets[path] { lines.append("+ \(Self.line(path, file))") }
    }
    return lines
  }

  private static func line(_ path: TargetPath, _ file: TargetFile) -> String {
    let custom = file.custom.map {
      " " + String(decoding: JSONWriter.canonical(.object($0)), as: UTF8.self)
    }
    return "\(path.text) sha256 \(file.hashes.sha256?.hex ?? "none")\(custom ?? "")"
  }
}
