import Digests
import Foundation
import SystemFiles
import TestSupport

/// All that a store holds at one moment, read by its documented layout alone.
struct StoreSnapshot: Sendable {
  struct Record: Equatable, Sendable {
    let generation: Int
    let active: String
    let version: String
    let manifest: String
    let previous: String?
  }

  enum RecordState: Equatable, Sendable {
    case absent, damaged
    case good(Record)
  }

  struct Model: Sendable {
    var record = RecordState.absent
    /// The folder name of the version that `current` leads to.
    var linked: String?
    var versions: [String] = []
    /// The folder names of the versions that a person wants kept.
    var pinned: [String] = []
  }

  struct Floor: Equatable, Sendable {
    let version: String
    let generation: Int
  }

  /// By the names of their folders.
  private(set) var models: [String: Model] = [:]
  private(set) var floors: [String: Floor] = [:]
  private(set) var tree: [String: DiskTree.Entry] = [:]

  init(of store: String) throws {
    guard try Folder.exists(store) else { return }
    tree = try DiskTree(at: store).entries
    for name in Self.names(in: "\(store)/models") {
      let folder = "\(store)/models/\(name)"
      guard tree["models/\(name)"]?.status.kind == .folder else { continue }
      models[name] = Model(
        record: Self.record(at: "\(folder)/active.json"),
        linked: tree["models/\(name)/current"]?.target.flatMap(Self.version(ofLink:)),
        versions: Self.names(in: "\(folder)/versions").filter { $0 != "CACHEDIR.TAG" },
        pinned: Self.sealed(at: "\(folder)/pins.json")?["versions"] as? [String] ?? []
      )
    }
    for name in Self.names(in: "\(store)/floors") where name.hasSuffix(".json") {
      guard let floor = Self.sealed(at: "\(store)/floors/\(name)"),
        let version = floor["version"] as? String, let generation = floor["generation"] as? Int
      else { continue }
      floors[String(name.dropLast(5))] = Floor(version: version, generation: generation)
    }
  }

  private static func version(ofLink target: String) -> String? {
    let parts = target.split(separator: "/")
    return parts.count == 3 && parts[0] == "versions" ? String(parts[1]) : nil
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func record(at path: String) -> RecordState {
    guard FileManager.default.fileExists(atPath: path) else { return .absent }
    guard let object = sealed(at: path), let active = object["active"] as? [String: Any],
      let generation = object["generation"] as? Int, let folder = active["folder"] as? String,
      let version = active["version"] as? String,
      let manifest = active["manifestSha256"] as? String
    else { return .damaged }
    return .good(
      Record(
        generation: generation,
        active: folder,
        version: version,
        manifest: manifest,
        previous: (object["previous"] as? [String: Any])?["folder"] as? String
      )
    )
  }

  /// The object in a file of two lines, the second of which is the digest of the first; nil for anything else.
  static func sealed(at path: String) -> [String: Any]? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    let lines = Array(bytes).split(separator: 0x0a, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].isEmpty,
      lines[1].elementsEqual("sha256:\(SHA256Digest(of: Array(lines[0])).hex)".utf8)
    else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(lines[0]))) as? [String: Any]
  }
}
