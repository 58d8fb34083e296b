import CommandLineKit
import Digests
import Manifests
import ModelStore
import StrictJSON

/// The state of one model in the two forms of output.
struct StatusLines {
  private let status: ModelStatus
  /// Why the active version would not be accepted now; nil if it would be, or where nobody asked.
  private let answer: VersionJudge.Answer
  private var refusal: Diagnostic? { answer.refusal }

  init(_ status: ModelStatus, answer: VersionJudge.Answer = .unknown) {
    (self.status, self.answer) = (status, answer)
  }

  /// The lines for people: the state, then one line each for what else there is.
  var lines: [String] {
    var lines = ["\(status.model): \(headline)"]
    if let left = status.record.record?.triesLeft {
      lines.append("  on trial, \(left) \(left == 1 ? "start" : "starts") left")
    }
    if let previous = status.record.record?.previous {
      lines.append("  previous \(previous.version)")
    }
    for pin in pins { lines.append("  pinned \(pin.version)") }
    for candidate in status.candidates {
      let activity =
        status.isBusy
        ? "in work" : words(for: candidate.journal) + ", resumed by the next install"
      lines.append(
        "  candidate \(candidate.name.version): \(roundedBytesText(candidate.bytesOnDisk)) on disk, \(activity)"
      )
    }
    return lines + (reasonsOfTrust + reasonsOfVersions).map { "  \($0)" }
  }

  private var headline: String {
    guard let record = status.record.record else { return status.state.rawValue }
    return "\(status.state.rawValue) \(record.active.version)"
  }

  private var pins: [VersionName] {
    (status.pins.marks?.names ?? []).sorted { ($0.version, $0.text) < ($1.version, $1.text) }
  }

  private func words(for journal: Journal?) -> String {
    switch journal?.failure {
    case .network?: "interrupted by the network"
    case .wrongBytes?: "interrupted by wrong bytes"
    case .unusable?: "refused as unusable"
    case .noSpace?: "interrupted by a full disk"
    case .local?: "interrupted by a failure on this machine"
    case nil: "interrupted"
    }
  }

  /// Why the state is not what a person hopes for.
  var reasons: [String] {
    let failed = status.candidates.filter { !status.isBusy && $0.journal?.failure != nil }
    return reasonsOfTrust + reasonsOfVersions
      + failed.map { candidate in
        let canRetry = candidate.journal?.failure?.isRetryable == true
        let hope = canRetry ? "trying again may help" : "trying again does not help"
        return "\(candidate.name.version) was \(words(for: candidate.journal)); \(hope)"
      }
  }

  private var reasonsOfTrust: [String] {
    guard let refusal, let record = status.record.record else { return [] }
    return ["\(record.active.version) is no longer accepted: \(refusal.message)"]
  }

  private var reasonsOfVersions: [String] {
    var reasons: [String] = []
    if status.bad == .damaged { reasons.append("the list of bad versions cannot be read") }
    if status.pins == .damaged { reasons.append("the list of pins cannot be read") }
    for mark in status.bad.marks?.marks ?? [] {
      reasons.append("\(mark.name.version) is marked bad: \(mark.reason)")
    }
    if case .damaged = status.record { reasons.append("the active record cannot be read") }
    for version in status.versions {
      switch version.proof {
      case .stamped: break
      case .changed(let file):
        reasons.append("\(version.name.version) has changed since it was verified: \(file)")
      case .changedFolder(let folder):
        reasons.append(
          "\(version.name.version) has changed since it was verified: what is in the folder \(folder)"
        )
      case .damaged:
        reasons.append("\(version.name.version) is damaged")
      case .unproven:
        reasons.append("\(version.name.version) was not verified to its end")
      }
    }
    if let active = status.record.record?.active.name,
      !status.versions.contains(where: { $0.name == active })
    {
      reasons.append(
        "\(active.version) is recorded as active and its bytes are not here, as after a backup was restored; "
          + "install it again"
      )
    }
    return reasons
  }

  /// What a person can do about versions that changed.
  var advice: [String] {
    status.versions.compactMap { version in
      switch version.proof {
      case .stamped, .unproven: return nil
      case .changed, .changedFolder, .damaged:
        return "sealift repair \(status.model)@\(version.name.version) reads it and makes it whole"
      }
    }
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
    members["trial"] =
      (status.record.record?.triesLeft).map { ["triesLeft": .integer(Int64($0))] } ?? .null
    members["staging"] = .object(["bytes": .integer(Int64(status.stagingBytes))])
    members["pinned"] = .array(pins.map { .string($0.version.text) })
    members["accepted"] = status.record.record.map { _ in answer.json }
    members["refusal"] = refusal.map { .string($0.kind.rawValue) }
    members["busy"] = .boolean(status.isBusy)
    members["reasons"] = .array(reasons.map { .string($0) })
    return members
  }
}
