import Digests
import Foundation
import Manifests

/// Judges what lies in a store by its documented layout alone, with none of the store's own code.
struct StoreOracle: Sendable {
  /// What the store says is active, every byte of it compared with its manifest.
  struct Active: Equatable, Sendable {
    let version: String
    let generation: Int
    /// The folder with the files.
    let path: String
  }

  enum Violation: Error, Equatable {
    case damagedRecord
    case missing(String)
    case wrongBytes(String)
    case extra(String)
    case otherManifest
    case wrongLink(String)
  }

  let store: String
  /// The folder of the model.
  let folder: String

  init(store: String, model: String) {
    self.store = store
    folder = "\(store)/models/\(model.replacingOccurrences(of: "/", with: "+"))"
  }

  /// Hashes the active version; nil if none is recorded, and a ``Violation`` if it is not whole.
  func active() throws -> Active? {
    guard let bytes = FileManager.default.contents(atPath: "\(folder)/active.json") else {
      return nil
    }
    let record = try Self.sealed(bytes)
    guard let active = record["active"] as? [String: Any],
      let version = active["version"] as? String, let name = active["folder"] as? String,
      let digest = active["manifestSha256"] as? String,
      let generation = record["generation"] as? Int
    else { throw Violation.damagedRecord }
    try Self.check(version: "\(folder)/versions/\(name)", manifest: digest)
    return Active(
      version: version,
      generation: generation,
      path: "\(folder)/versions/\(name)/files"
    )
  }

  /// Two lines: a document and its digest.
  private static func sealed(_ bytes: Data) throws -> [String: Any] {
    let lines = Array(bytes).split(separator: 0x0a, maxSplits: 1)
    guard lines.count == 2,
      String(decoding: lines[1], as: UTF8.self)
        .hasPrefix("sha256:\(SHA256Digest(of: Array(lines[0])).hex)"),
      let value = try? JSONSerialization.jsonObject(with: Data(lines[0])),
      let object = value as? [String: Any]
    else { throw Violation.damagedRecord }
    return object
  }

  /// Compares every byte of a version with the manifest that lies beside it, and that with its digest.
  static func check(version path: String, manifest digest: String) throws {
    guard let envelope = FileManager.default.contents(atPath: "\(path)/manifest.json") else {
      throw Violation.missing("manifest.json")
    }
    guard let parsed = try? Envelope(parsing: Array(envelope)),
      SHA256Digest(of: parsed.payload).hex == digest,
      let release = try? Release(payload: parsed.payload)
    else { throw Violation.otherManifest }
    var found = Set(paths(beneath: "\(path)/files"))
    for file in release.files {
      let name = file.path.text
      guard found.remove(name) != nil else { throw Violation.missing(name) }
      let bytes = try Data(
        contentsOf: URL(filePath: "\(path)/files/\(name)"),
        options: .alwaysMapped
      )
      guard bytes.count == file.size, SHA256Digest(of: Array(bytes)) == file.sha256 else {
        throw Violation.wrongBytes(name)
      }
    }
    let folders = found.filter { name in
      release.files.contains { $0.path.text.hasPrefix(name + "/") }
    }
    if let extra = found.subtracting(folders).first { throw Violation.extra(extra) }
  }

  private static func paths(beneath folder: String) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }

  /// The names in a folder of the model, sorted; empty if there is none.
  func names(in folder: String) -> [String] {
    let path = "\(self.folder)/\(folder)"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The versions that lie in the store, without the digits of their manifests.
  var versions: [String] { versionFolders.map { String($0.dropLast(17)) } }

  private var versionFolders: [String] { names(in: "versions").filter { $0 != "CACHEDIR.TAG" } }

  /// Whether a name in the trash is that of a version which a person removed and may have back, or of what a repair took
  /// out of one.
  private func canReturn(_ name: String) -> Bool {
    name == "CACHEDIR.TAG"
      || name.range(
        of: "^[0-9][^/]*-[0-9a-f]{16}([.]replaced[.][0-9a-f]{32})?$",
        options: .regularExpression
      ) != nil
  }

  /// The candidates that lie in the store.
  var candidates: [String] { names(in: "staging") }

  /// Where the only candidate keeps what it has of its first file; nil unless there is just one candidate.
  var firstPartPath: String? {
    candidates.count == 1 ? "\(folder)/staging/\(candidates[0])/parts/0.part" : nil
  }

  /// The bytes there; nil if nothing of the file is there.
  var firstPart: Data? { firstPartPath.flatMap(FileManager.default.contents(atPath:)) }

  /// Everything in the store that no finished or interrupted work leaves there.
  var litter: [String] {
    let known = [
      "active.json", "current", "install.lock", "state.lock", "versions", "stamps", "staging",
      "trash", "leases", "manifests", "bad.json", "pins.json",
    ]
    let stamps = names(in: "stamps").filter { !versionFolders.contains(String($0.dropLast(5))) }
    let root = names(in: "../..").filter {
      !["STORE.json", "store.lock", "models", "floors"].contains($0)
    }
    return root + names(in: "../../floors").filter { !$0.hasSuffix(".json") }
      + names(in: "").filter { !known.contains($0) }
      + names(in: "trash").filter { !canReturn($0) }.map { "trash/\($0)" }
      + stamps.map { "stamps/\($0)" }
  }
}
