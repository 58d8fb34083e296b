import Digests
import Foundation
import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import SystemFiles
import TestSupport

extension ConsumerHome {
  /// Checks every invariant on the store as it lies on disk, with none of the store's own code.
  ///
  /// `expected` is what the last command may have left, `before` what was there before it, and `outside` are folders
  /// beside the store, as they were and must be.
  func violations(
    _ expected: StoreExpectation,
    since before: StoreSnapshot? = nil,
    outside: [String: DiskTree] = [:]
  ) async throws -> [StoreViolation] {
    let now = try StoreSnapshot(of: store)
    var found = records(now) + stamps(now) + activity(now, expected)
    if expected.isFinished { found += leftovers() }
    found += unrepaired(now, expected)
    if let before {
      found += losses(from: before, to: now, expected) + changes(from: before, to: now)
      found += history(from: before, to: now)
    }
    for (path, tree) in outside where !isUntouched(tree, try DiskTree(at: path)) {
      found.append(StoreViolation(8, "something outside of the store has changed: \(path)"))
    }
    return found + (try await readers(now))
  }

  /// Whether nothing was written, moved or changed in its mode; that a second name of it is gone is no harm.
  private func isUntouched(_ old: DiskTree, _ new: DiskTree) -> Bool {
    old.entries.keys == new.entries.keys
      && old.entries.allSatisfy { path, entry in
        guard let now = new.entries[path] else { return false }
        return now.target == entry.target && now.status.identity == entry.status.identity
          && now.status.size == entry.status.size && now.status.mode == entry.status.mode
          && now.status.modifiedAt == entry.status.modifiedAt
          && now.status.owner == entry.status.owner
      }
  }

  /// 1: every record names a whole version that is signed.
  private func records(_ now: StoreSnapshot) -> [StoreViolation] {
    now.models.flatMap { name, model -> [StoreViolation] in
      switch model.record {
      case .absent: []
      case .damaged: [StoreViolation(1, "the record of \(name) is damaged")]
      case .good(let record):
        fault(of: record.active, manifest: record.manifest, in: name)
          .map { [StoreViolation(1, "\(record.active) is active: \($0)")] } ?? []
      }
    }
  }

  /// What is wrong with the bytes of a version, or with the signature of its manifest.
  private func fault(of version: String, manifest: String, in model: String) -> String? {
    let path = "\(store)/models/\(model)/versions/\(version)"
    do {
      try StoreOracle.check(version: path, manifest: manifest)
    } catch {
      return "\(error)"
    }
    guard let bytes = FileManager.default.contents(atPath: "\(path)/manifest.json"),
      let envelope = try? Envelope(parsing: Array(bytes)),
      !envelope.signers(among: [signer.publicKey]).isEmpty
    else { return "nobody trusted has signed it" }
    return nil
  }

  /// 2 and 3: one of the allowed versions is active.
  private func activity(
    _ now: StoreSnapshot,
    _ expected: StoreExpectation
  ) -> [StoreViolation] {
    var active: String?
    if case .good(let record) = now.models["acme+tiny"]?.record { active = record.version }
    guard !expected.active.contains(active) else { return [] }
    let wanted = expected.active.map { $0 ?? "none" }.joined(separator: " or ")
    return [StoreViolation(3, "active is \(active ?? "none") and not \(wanted)")]
  }

  /// 4 and 6: a stamp that fits what the file system says stands for bytes that are right.
  private func stamps(_ now: StoreSnapshot) -> [StoreViolation] {
    now.models.flatMap { model, facts in
      facts.versions.compactMap { version in
        guard let manifest = stampedManifest(of: version, in: model, now),
          let fault = fault(of: version, manifest: manifest, in: model)
        else { return nil }
        return StoreViolation(4, "\(version) is stamped: \(fault)")
      }
    }
  }

  /// The manifest for which the stamp of a version vouches; nil if the stamp proves nothing.
  private func stampedManifest(
    of version: String,
    in model: String,
    _ now: StoreSnapshot
  ) -> String? {
    let place = "models/\(model)/versions/\(version)/files"
    guard let stamp = StoreSnapshot.sealed(at: "\(store)/models/\(model)/stamps/\(version).json"),
      let manifest = stamp["manifestSha256"] as? String,
      version.hasSuffix("-\(manifest.prefix(16))"), let files = stamp["files"] as? [[String: Any]]
    else { return nil }
    let isMatch = files.allSatisfy { file in
      guard let path = file["path"] as? String, let status = now.tree["\(place)/\(path)"]?.status
      else { return false }
      return file["inode"] as? UInt64 == status.identity.inode
        && file["device"] as? UInt64 == status.identity.device
        && file["size"] as? Int == status.size && file["modified"] as? Int == status.modifiedAt
        && file["changed"] as? Int == status.changedAt
    }
    return isMatch && areUnchanged(stamp["folders"], at: place, now) ? manifest : nil
  }

  /// Whether nothing was added to the folders of a version since it was stamped.
  private func areUnchanged(_ folders: Any?, at place: String, _ now: StoreSnapshot) -> Bool {
    guard let folders = folders as? [[String: Any]], !folders.isEmpty else { return false }
    return folders.allSatisfy { folder in
      guard let path = folder["path"] as? String,
        let status = now.tree[path.isEmpty ? place : "\(place)/\(path)"]?.status
      else { return false }
      return folder["inode"] as? UInt64 == status.identity.inode
        && folder["device"] as? UInt64 == status.identity.device
        && folder["modified"] as? Int == status.modifiedAt
        && folder["changed"] as? Int == status.changedAt
    }
  }

  /// 7: the version that was to be repaired is stamped; the fourth one says that its bytes are right then.
  private func unrepaired(
    _ now: StoreSnapshot,
    _ expected: StoreExpectation
  ) -> [StoreViolation] {
    guard let version = expected.repairs else { return [] }
    let name = now.models["acme+tiny"]?.versions.first { $0.hasPrefix("\(version)-") }
    guard let name, stampedManifest(of: name, in: "acme+tiny", now) != nil else {
      return [StoreViolation(7, "\(version) is not repaired")]
    }
    return []
  }

  /// 7: nothing half done is left.
  private func leftovers() -> [StoreViolation] {
    (oracle().candidates.map { "staging/\($0)" } + oracle().litter).map {
      StoreViolation(7, "\($0) is left")
    }
  }

  /// 5: what is in use is still there, and so is all of a model whose record cannot be read.
  private func losses(
    from before: StoreSnapshot,
    to now: StoreSnapshot,
    _ expected: StoreExpectation
  ) -> [StoreViolation] {
    guard !expected.removes else { return [] }
    return before.models.flatMap { name, model in
      var kept = model.pinned + [model.linked].compactMap { $0 }
      switch model.record {
      case .absent: break
      case .damaged: kept = model.versions
      case .good(let record): kept += [record.active, record.previous].compactMap { $0 }
      }
      let held = Set(kept).intersection(model.versions)
      return held.subtracting(now.models[name]?.versions ?? []).map {
        StoreViolation(5, "\($0) is gone")
      }
    }
  }

  /// 8: an inode that is still published is still what it was.
  private func changes(from before: StoreSnapshot, to now: StoreSnapshot) -> [StoreViolation] {
    before.tree.compactMap { path, old in
      guard old.status.kind == .file, path.contains("/versions/"), path.contains("/files/"),
        let new = now.tree[path], new.status.identity == old.status.identity,
        !isUnchanged(old.status, new.status)
      else { return nil }
      return StoreViolation(8, "the published file \(path) has changed")
    }
  }

  private func isUnchanged(_ old: FileStatus, _ new: FileStatus) -> Bool {
    old.size == new.size && old.modifiedAt == new.modifiedAt && old.changedAt == new.changedAt
      && old.mode == new.mode && old.linkCount == new.linkCount
  }

  /// 10: generations and floors only rise.
  private func history(from before: StoreSnapshot, to now: StoreSnapshot) -> [StoreViolation] {
    var found: [StoreViolation] = []
    for (name, model) in before.models {
      guard case .good(let old) = model.record, case .good(let new) = now.models[name]?.record,
        new != old, new.generation <= old.generation
      else { continue }
      found.append(StoreViolation(10, "generation \(old.generation) is followed by itself"))
    }
    for (name, old) in before.floors {
      guard let new = now.floors[name],
        let (low, high) = try? (
          Version(old.version), Version(new.version)
        ), high >= low, new.generation >= old.generation
      else {
        found.append(StoreViolation(10, "the floor of \(name) has fallen below \(old.version)"))
        continue
      }
    }
    return found
  }

  /// 4 and 11: what commands say is what is there, and they leave it as it is.
  private func readers(_ now: StoreSnapshot) async throws -> [StoreViolation] {
    var found: [StoreViolation] = []
    let status = try await run(["status", "--json"])
    if status.ending != .exited(0) { found.append(StoreViolation(11, "status: \(status.errors)")) }
    let events = (try? status.events())?.filter { $0["event"] == "model" } ?? []
    for (name, model) in now.models {
      guard case .good(let record) = model.record else { continue }
      let isStamped = stampedManifest(of: record.active, in: name, now) == record.manifest
      let state: JSONValue = isStamped ? "active" : "failed"
      let text = JSONValue.string(name.replacingOccurrences(of: "+", with: "/"))
      let event = events.first { $0["model"] == text }
      if event?["state"] != state || event?["version"] != .string(record.version) {
        found.append(StoreViolation(4, "status says \(String(describing: event?["state"]))"))
      }
      let path = try await run(["path", name.replacingOccurrences(of: "+", with: "/")])
      if path.output != "\(store)/models/\(name)/versions/\(record.active)/files\n" {
        found.append(StoreViolation(2, "path says \(path.output)\(path.errors)"))
      }
    }
    if try StoreSnapshot(of: store).tree != now.tree {
      found.append(StoreViolation(11, "a command that reads has written"))
    }
    return found
  }
}
