import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import StrictJSON

/// What `diff` prints of two manifests.
struct DifferencePage {
  /// One of the two manifests.
  struct Side {
    let envelope: Envelope
    let release: Release

    fileprivate var words: String {
      "\(release.model) \(release.version), payload SHA-256 \(envelope.payloadDigest)"
    }

    fileprivate var signers: [String] { envelope.signatures.map(\.keyID) }
  }

  private let old: Side
  private let new: Side
  private let difference: ReleaseDifference

  init(from old: Side, to new: Side) {
    self.old = old
    self.new = new
    difference = ReleaseDifference(from: old.release, to: new.release)
  }

  private var hasSamePayload: Bool { old.envelope.payload == new.envelope.payload }

  private var removedSigners: [String] { old.signers.filter { !new.signers.contains($0) } }
  private var addedSigners: [String] { new.signers.filter { !old.signers.contains($0) } }

  /// Whether anything differs: in the payload, or in who claims to have signed it.
  var differs: Bool {
    !hasSamePayload || !removedSigners.isEmpty || !addedSigners.isEmpty
      || old.signers.count != new.signers.count
  }

  var lines: [String] {
    guard differs else { return ["\(old.words): both are the same"] }
    var lines = [line("from", old.words), line("to", new.words)]
    lines += difference.files.map { line($0.change.rawValue, words(for: $0)) }
    if !hasSamePayload { lines.append(line("update", updateWords)) }
    for fact in difference.facts {
      lines += list(title(of: fact.name), removed: fact.removed, added: fact.added)
    }
    if !hasSamePayload, difference.isEmpty {
      lines.append(line("payload", "differs in nothing that this version knows"))
    }
    lines += list("signers", removed: removedSigners.map(claim), added: addedSigners.map(claim))
    return lines + ["nothing was verified; sealift-publish verify does that"]
  }

  var fileEvents: [JSONObject] { difference.files.map(\.members) }

  var factEvents: [JSONObject] {
    difference.facts.map { fact in
      [
        "name": .string(fact.name),
        "removed": .array(fact.removed.map { .string($0) }),
        "added": .array(fact.added.map { .string($0) }),
      ]
    }
  }

  var members: JSONObject {
    [
      "from": .object(members(of: old)), "to": .object(members(of: new)),
      "differs": .boolean(differs), "samePayload": .boolean(hasSamePayload),
      "neededBytes": .integer(Int64(difference.neededBytes)),
      "size": .integer(Int64(difference.size)),
      "files": .integer(Int64(difference.files.count)),
      "facts": .integer(Int64(difference.facts.count)),
      "removedSigners": .array(removedSigners.map { .string($0) }),
      "addedSigners": .array(addedSigners.map { .string($0) }),
      "isVerified": false,
    ]
  }

  private func members(of side: Side) -> JSONObject {
    [
      "model": .string(side.release.model.text), "version": .string(side.release.version.text),
      "manifestSha256": .string(side.envelope.payloadDigest.hex),
      "claimedSigners": .array(side.signers.map { .string($0) }),
    ]
  }

  private var updateWords: String {
    let (needed, size) = (difference.neededBytes, difference.size)
    guard needed > 0 else {
      return "needs no byte: all \(exactBytesText(size)) are in the old release"
    }
    return "needs \(exactBytesText(needed)) of \(exactBytesText(size))"
  }

  private func words(for file: ReleaseDifference.File) -> String {
    let needed = ", \(exactBytesText(file.neededBytes)) needed"
    switch (file.old, file.new) {
    case (let old?, let new?) where old.path != new.path:
      return "\(old.path) to \(new.path)" + (file.neededBytes > 0 ? needed : "")
    case (let old?, let new?) where file.change == .restated:
      return "\(new.path): other \(old.facts(otherThan: new).joined(separator: ", "))"
        + (file.neededBytes > 0 ? needed : "")
    case (let old?, let new?):
      let size =
        old.size == new.size
        ? exactBytesText(new.size) : "\(groupedText(old.size)) to \(exactBytesText(new.size))"
      return "\(new.path): \(size)\(needed)"
    case (nil, let new?): return "\(new.path): \(exactBytesText(new.size))\(needed)"
    case (let old?, nil): return "\(old.path): \(exactBytesText(old.size))"
    case (nil, nil): return ""
    }
  }

  private func title(of name: String) -> String {
    name.utf8.elementsEqual("baseModels".utf8) ? "base" : name
  }

  private func list(_ name: String, removed: [String], added: [String]) -> [String] {
    let items = removed.map { "- \($0)" } + added.map { "+ \($0)" }
    guard let first = items.first else {
      return name.utf8.elementsEqual("signers".utf8) ? [] : [line(name, "stand in another order")]
    }
    return [line(name, first)] + items.dropFirst().map { line("", $0) }
  }

  private func claim(_ name: String) -> String {
    "\(claimedName(name)) (claimed)"
  }

  private func line(_ name: String, _ text: String) -> String {
    "\(name)\(String(repeating: " ", count: max(1, 11 - name.utf8.count)))\(text)"
  }
}

extension ReleaseDifference.File {
  fileprivate var members: JSONObject {
    var members: JSONObject = [
      "change": .string(change.rawValue), "path": .string(path.text),
      "neededBytes": .integer(Int64(neededBytes)),
    ]
    if change == .restated, let old, let new {
      members["facts"] = .array(old.facts(otherThan: new).map { .string($0) })
    }
    members["from"] = old.map { .object($0.identity) }
    members["to"] = new.map { .object($0.identity) }
    return members
  }
}

extension FileEntry {
  /// What the manifests say differently of one path and the same bytes.
  fileprivate func facts(otherThan new: FileEntry) -> [String] {
    [
      ("role", role != new.role), ("format", format != new.format),
      ("chunks", chunks != new.chunks), ("runtimes", runtimes != new.runtimes),
      ("mirrors", mirrors != new.mirrors), ("basis", basis != new.basis),
    ].filter(\.1).map(\.0)
  }

  fileprivate var identity: JSONObject {
    [
      "path": .string(path.text), "size": .integer(Int64(size)), "sha256": .string(sha256.hex),
      "role": .string(role.text), "format": .string(format.name.text),
    ]
  }
}
