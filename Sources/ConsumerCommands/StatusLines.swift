import CommandLineKit
import Digests
import Manifests
import ModelStore
import StrictJSON

/// The state of one model in the two forms of output.
struct StatusLines {
  private let status: ModelStatus

  init(_ status: ModelStatus) { self.status = status }

  /// The lines for people: the state, then one line each for what else there is.
  var lines: [String] {
    var lines = ["\(status.model): \(headline)"]
    if let previous = status.record.record?.previous {
      lines.append("  previous \(previous.version)")
    }
    for candidate in status.candidates {
      let activity = status.isBusy ? "in work" : "interrupted, resumed by the next install"
      lines.append(
        "  candidate \(candidate.name.version): \(roundedBytesText(candidate.bytesOnDisk)) on disk, \(activity)"
      )
    }
    return lines + reasons.map { "  \($0)" }
  }

  private var headline: String {
    guard let record = status.record.record else { return status.state.rawValue }
    return "\(status.state.rawValue) \(record.active.version)"
  }

  /// Why the state is not what a person hopes for.
  private var reasons: [String] {
    var reasons: [String] = []
    if case .damaged = status.record { reasons.append("the active record cannot be read") }
    for version in status.versions {
      switch version.proof {
      case .stamped: break
      case .changed(let file):
        reasons.append("\(version.name.version) has changed since it was verified: \(file)")
      case .unproven:
        reasons.append("\(version.name.version) was not verified to its end")
      }
    }
    if let active = status.record.record?.active.name,
      !status.versions.contains(where: { $0.name == active })
    {
      reasons.append("\(active.version) is recorded as active and is not there")
    }
    return reasons
  }

  /// The members for programs.
  var members: JSONObject {
    var members: JSONObject = [
      "model": .string(status.model.text), "state": .string(status.state.rawValue),
    ]
    if let record = status.record.record {
      members["version"] = .string(record.active.version.text)
      members["dir"] = .string(record.active.name.text)
      members["manifestSha256"] = .string(record.active.manifest.hex)
      members["generation"] = .integer(Int64(record.generation))
      if let previous = record.previous { members["previous"] = .string(previous.version.text) }
    }
    let staged = status.candidates.reduce(0) { $0 + $1.bytesOnDisk }
    members["staging"] = .object(["bytes": .integer(Int64(staged))])
    members["busy"] = .boolean(status.isBusy)
    members["reasons"] = .array(reasons.map { .string($0) })
    return members
  }
}
