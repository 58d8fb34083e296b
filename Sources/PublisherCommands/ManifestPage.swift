import CommandLineKit
import Digests
import Manifests
import StrictJSON

/// What `show` prints of a manifest.
struct ManifestPage {
  private let envelope: Envelope
  private let release: Release

  init(_ envelope: Envelope, _ release: Release) {
    self.envelope = envelope
    self.release = release
  }

  /// The release, before the table of its files.
  var lines: [String] {
    var facts = [
      ("model", release.model.text),
      ("version", release.version.text),
      ("released", release.released.text),
      ("expires", release.details.expires?.text ?? "never"),
      ("license", release.license?.text ?? "not stated"),
    ]
    if let title = release.details.title { facts.append(("title", title)) }
    if let notes = release.details.notes { facts.append(("notes", notes)) }
    facts.append(("size", exactBytesText(release.size)))
    return facts.map(line) + [""]
  }

  var files: TextTable {
    var table = TextTable(
      ["file", "bytes", "role", "format", "chunks", "sha256"],
      alignments: [.left, .right, .left, .left, .right, .left]
    )
    for file in release.files {
      table.append([
        file.path.text,
        groupedText(file.size),
        file.role.text,
        file.format.words,
        file.chunks.map { groupedText($0.chunks.count) } ?? "none",
        file.sha256.hex,
      ])
    }
    return table
  }

  /// What follows the table.
  var end: [String] {
    let own = release.files.flatMap { file in file.runtimes.map { "\(file.path): \($0)" } }
    let runtimes = release.runtimes.map(\.description) + own
    var lines = ["", line("payload", "SHA-256 \(envelope.payloadDigest)")]
    lines += list("runtimes", runtimes, none: "any")
    lines += list("mirrors", release.mirrors.map(\.redacted), none: "none")
    lines += list("signers", envelope.signatures.map(\.claim), none: "none")
    return lines + ["nothing was verified; sealift-publish verify does that"]
  }

  var fileEvents: [JSONObject] { release.files.map(\.members) }

  var members: JSONObject {
    var members = ReleaseSummary(release).members
    members["released"] = .string(release.released.text)
    members["license"] = (release.license?.text).map { .string($0) }
    members["title"] = release.details.title.map { .string($0) }
    members["notes"] = release.details.notes.map { .string($0) }
    members["manifestSha256"] = .string(envelope.payloadDigest.hex)
    members["runtimes"] = .array(release.runtimes.map { .object($0.members) })
    members["mirrors"] = .array(release.mirrors.map { .string($0.redacted) })
    members["claimedSigners"] = .array(envelope.signatures.map { .string($0.keyID) })
    members["isVerified"] = false
    return members
  }

  private func line(_ name: String, _ text: String) -> String {
    let gap = String(repeating: " ", count: max(1, 10 - name.utf8.count))
    return "\(name)\(gap)\(text)"
  }

  private func list(_ name: String, _ items: [String], none: String) -> [String] {
    guard let first = items.first else { return [line(name, none)] }
    return [line(name, first)] + items.dropFirst().map { line("", $0) }
  }
}

extension EnvelopeSignature {
  fileprivate var claim: String {
    "\(keyID.isEmpty ? "a key without a name" : keyID) (claimed)"
  }
}

extension FormatFacts {
  /// The facts in a few words: `gguf 3, lfm2, Q4_K F32`.
  fileprivate var words: String {
    var words = [[name.text, version.map(String.init)].compactMap(\.self).joined(separator: " ")]
    if let architecture { words.append(architecture) }
    if !types.isEmpty { words.append(types.joined(separator: " ")) }
    if basis == .declared { words.append("declared") }
    return words.joined(separator: ", ")
  }
}

extension FileEntry {
  fileprivate var members: JSONObject {
    var members: JSONObject = [
      "path": .string(path.text),
      "size": .integer(Int64(size)),
      "sha256": .string(sha256.hex),
      "role": .string(role.text),
      "format": .string(format.name.text),
      "chunks": .integer(Int64(chunks?.chunks.count ?? 0)),
      "basis": .string(basis.rawValue),
    ]
    members["formatVersion"] = format.version.map { .integer(Int64($0)) }
    members["architecture"] = format.architecture.map { .string($0) }
    if !format.types.isEmpty { members["types"] = .array(format.types.map { .string($0) }) }
    if !runtimes.isEmpty { members["runtimes"] = .array(runtimes.map { .object($0.members) }) }
    if !mirrors.isEmpty { members["mirrors"] = .array(mirrors.map { .string($0.redacted) }) }
    return members
  }
}

extension RuntimeRequirement {
  var members: JSONObject {
    var members: JSONObject = [
      "name": .string(name.text), "scheme": .string(scheme.rawValue), "min": .string(minimum),
    ]
    members["below"] = below.map { .string($0) }
    if !exclude.isEmpty { members["exclude"] = .array(exclude.map { .string($0.text) }) }
    members["because"] = .array(because.map { .string($0) })
    return members
  }
}
