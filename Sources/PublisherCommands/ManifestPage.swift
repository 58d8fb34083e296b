import CommandErrors
import CommandLineKit
import Digests
import Manifests
import StrictJSON
import Trust

/// What `show` prints of a manifest.
struct ManifestPage {
  private let envelope: Envelope
  private let release: Release
  private let now: Timestamp
  private let hasChunks: Bool

  /// Takes what is shown, and whether each chunk is.
  init(_ envelope: Envelope, _ release: Release, at now: Timestamp, hasChunks: Bool) {
    self.envelope = envelope
    self.release = release
    self.now = now
    self.hasChunks = hasChunks
  }

  /// The release, before the table of its files.
  var lines: [String] {
    var facts = [
      ("model", release.model.text),
      ("version", release.version.text),
      ("released", release.released.text),
      ("expires", expiry),
      ("license", release.license?.text ?? "not stated"),
    ]
    if let title = release.details.title { facts.append(("title", title)) }
    if let notes = release.details.notes { facts.append(("notes", notes)) }
    facts.append(("size", exactBytesText(release.size)))
    if let chunks { facts.append(("chunks", chunks)) }
    return facts.map(line) + [""]
  }

  private var expiry: String {
    guard let time = release.details.expires else { return "never" }
    return release.hasExpired(at: now) ? "\(time), which has passed" : time.text
  }

  /// How the files are cut, if they are.
  private var chunks: String? {
    let lengths = release.files.flatMap { $0.chunks?.chunks.map(\.length) ?? [] }
    guard let longest = lengths.max() else { return nil }
    return "\(counted(lengths.count, "chunk")), the longest of \(exactBytesText(longest))"
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
    for file in release.files {
      for mirror in file.mirrors { lines.append(line("", "\(file.path): \(mirror.redacted)")) }
    }
    lines += further
    lines += list(
      "signers",
      envelope.signatures.map { "\(claimedName($0.keyID)) (claimed)" },
      none: "none"
    )
    if hasChunks { lines += chunkLines }
    return lines + ["nothing was verified; sealift-publish verify does that"]
  }

  /// What few manifests say.
  private var further: [String] {
    let details = release.details
    var lines: [String] = []
    if !details.baseModels.isEmpty { lines += list("base", details.baseModels, none: "") }
    if let needs = details.needs { lines += list("requires", needs.words, none: "nothing") }
    if !details.critical.isEmpty { lines += list("critical", details.critical, none: "") }
    if let provenance = details.provenance {
      let text = String(decoding: JSONWriter.canonical(provenance), as: UTF8.self)
      lines.append(line("made", text))
    }
    return lines
  }

  private var chunkLines: [String] {
    release.files.flatMap { file in
      (file.chunks?.chunks ?? []).map { chunk in
        "chunk     \(file.path) \(chunk.offset)-\(chunk.range.upperBound - 1) \(chunk.digest)"
      }
    }
  }

  var fileEvents: [JSONObject] { release.files.map { $0.members(hasChunks: hasChunks) } }

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
    let details = release.details
    members["hasExpired"] = .boolean(release.hasExpired(at: now))
    members["baseModels"] = .array(details.baseModels.map { .string($0) })
    members["requires"] = details.needs.map { .object($0.members) }
    members["critical"] = .array(details.critical.map { .string($0) })
    members["provenance"] = details.provenance
    members["payloadType"] = .string(envelope.payloadType)
    members["payloadSize"] = .integer(Int64(envelope.payload.count))
    members["chunks"] = .integer(
      Int64(release.files.reduce(0) { $0 + ($1.chunks?.chunks.count ?? 0) })
    )
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
  fileprivate func members(hasChunks: Bool) -> JSONObject {
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
    if format.basis != basis { members["formatBasis"] = .string(format.basis.rawValue) }
    if !format.more.isEmpty {
      let facts = format.more.sorted { $0.key < $1.key }
      members["formatFacts"] = .object(
        JSONObject(uniqueMembers: facts.map { ($0.key, $0.value.value) })
      )
    }
    if let lengths = chunks?.chunks.map(\.length), let longest = lengths.max() {
      members["longestChunk"] = .integer(Int64(longest))
    }
    if hasChunks, let chunks = chunks?.chunks {
      members["chunkTable"] = .array(chunks.map { .object($0.members) })
    }
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

extension Chunk {
  fileprivate var members: JSONObject {
    [
      "offset": .integer(Int64(offset)), "length": .integer(Int64(length)),
      "sha256": .string(digest.hex),
    ]
  }
}

extension HostNeeds {
  fileprivate var words: [String] {
    var words: [String] = []
    if let memory { words.append("\(exactBytesText(memory)) of memory") }
    if let disk { words.append("\(exactBytesText(disk)) of disk") }
    if !platform.isEmpty { words.append("one of \(platform.joined(separator: ", "))") }
    return words
  }

  fileprivate var members: JSONObject {
    var members: JSONObject = ["platform": .array(platform.map { .string($0) })]
    members["memory"] = memory.map { .integer(Int64($0)) }
    members["disk"] = disk.map { .integer(Int64($0)) }
    return members
  }
}
