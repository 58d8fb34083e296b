import Manifests
import StrictJSON
import SystemFiles
import Trust

/// A change as it waits in the folder of the publisher: a file for each part, and one that tells what it is.
///
///     .sealift/pending/  change.json  root.json  policy.json  targets.json  bin-07.json …  snapshot.json  timestamp.json
///
/// The folder comes to its name at one instant. A complete change in it is published by whoever comes next, however
/// the one who made it ended.
enum PendingFiles {
  private static let schema = "sealift.pending/1"
  private static let change = "change.json"
  private static let policy = "policy.json"
  private static let limit = 64 << 20

  /// What is to become of a change.
  enum Intent: Hashable, Sendable {
    /// It waits for signatures.
    case waits
    /// It is complete, was checked, and is to be published, the new root at the end or before the timestamp.
    case publishes(isRootLast: Bool)
  }

  /// The files of a change, by their names.
  static func files(
    of draft: RepositoryDraft,
    _ intent: Intent
  ) -> [(name: String, bytes: [UInt8])] {
    var files: [(String, [UInt8])] = []
    if let root = draft.root { files.append((RoleName.root.fileName, root.bytes)) }
    if let envelope = draft.policy { files.append((policy, envelope.encode())) }
    for (role, file) in draft.targets { files.append((role.fileName, file.bytes)) }
    if let snapshot = draft.snapshot { files.append((RoleName.snapshot.fileName, snapshot.bytes)) }
    if let timestamp = draft.timestamp {
      files.append((RoleName.timestamp.fileName, timestamp.bytes))
    }
    let names = files.map { JSONValue.string($0.0) }
    return files + [(change, description(of: draft, intent, files: names))]
  }

  private static func description(
    of draft: RepositoryDraft,
    _ intent: Intent,
    files: [JSONValue]
  ) -> [UInt8] {
    JSONWriter.pretty([
      "schema": .string(schema),
      "isComplete": .boolean(intent != .waits),
      "isRootLast": .boolean(intent == .publishes(isRootLast: true)),
      "timestamp": .integer(Int64(draft.base?.timestamp.contents.header.version ?? 0)),
      "snapshot": .integer(Int64(draft.base?.snapshot.contents.header.version ?? 0)),
      "root": .integer(Int64(draft.base?.root.contents.header.version ?? 0)),
      "files": .array(files),
      "summary": .array(draft.summary.map { .string($0) }),
      "targets": .array(draft.targets.keys.map(\.text).sorted().map { .string($0) }),
      "renewsSnapshot": .boolean(draft.renewsSnapshot),
      "renewsTimestamp": .boolean(draft.renewsTimestamp),
      "isCompromised": .boolean(draft.isCompromised),
      "lifetimes": [
        "root": .integer(draft.lifetimes.root), "targets": .integer(draft.lifetimes.targets),
        "snapshot": .integer(draft.lifetimes.snapshot),
        "timestamp": .integer(draft.lifetimes.timestamp),
      ],
    ])
  }

  /// The version of the timestamp for which the change in `folder` was made.
  static func base(in folder: borrowing Folder) throws -> Int {
    let members = try members(in: folder)
    return try understood { try members.integer("timestamp") }
  }

  /// The versions of root and snapshot for which the change in `folder` was made.
  static func versions(in folder: borrowing Folder) throws -> (root: Int, snapshot: Int) {
    let members = try members(in: folder)
    return try understood { (try members.integer("root"), try members.integer("snapshot")) }
  }

  /// Whether what the change in `folder` builds on is still what is published; a newer timestamp alone changes nothing of it.
  static func follows(_ base: RepositoryState?, in folder: borrowing Folder) throws -> Bool {
    let made = try versions(in: folder)
    return made.snapshot == base?.snapshot.contents.header.version ?? 0
      && made.root == base?.root.contents.header.version ?? 0
  }

  /// What is to become of the change in `folder`.
  static func intent(in folder: borrowing Folder) throws -> Intent {
    let members = try members(in: folder)
    return try understood {
      guard try members.node("isComplete").boolean() else { return .waits }
      return .publishes(isRootLast: try members.node("isRootLast").boolean())
    }
  }

  private static func members(
    in folder: borrowing Folder
  ) throws -> JSONMembers<DocumentProblem> {
    guard let bytes = try folder.readFile(change, limit: limit) else {
      throw RepositoryProblem.missing(change)
    }
    return try understood {
      let value = try JSONReader.parse(bytes, limits: JSONLimits(bytes: limit))
      let members = try JSONMembers<DocumentProblem>(document: value)
      guard try members.string("schema") == schema else {
        throw RepositoryProblem.badChange(change)
      }
      return members
    }
  }

  /// Reads something of a change; what has no form is told as the file that it stands in.
  private static func understood<Value>(_ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch is JSONSyntaxError {
      throw RepositoryProblem.badChange(change)
    } catch is DocumentProblem {
      throw RepositoryProblem.badChange(change)
    } catch is ManifestError {
      throw RepositoryProblem.badChange(policy)
    }
  }

  /// Reads the change in `folder`, which was made for `base`.
  ///
  /// - Throws: ``RepositoryProblem/badChange(_:)`` for a file of it that cannot be read, and others for what it says.
  static func draft(in folder: borrowing Folder, for base: RepositoryState?) throws
    -> RepositoryDraft
  {
    let members = try members(in: folder)
    return try understood { try read(members, folder, for: base) }
  }

  private static func read(
    _ members: JSONMembers<DocumentProblem>,
    _ folder: borrowing Folder,
    for base: RepositoryState?
  ) throws -> RepositoryDraft {
    for name in try members.strings("files") where try folder.status(of: name) == nil {
      throw RepositoryProblem.missing(name)
    }
    let times = try members.object("lifetimes")
    var lifetimes = RoleLifetimes()
    lifetimes.root = Int64(try times.integer("root"))
    lifetimes.targets = Int64(try times.integer("targets"))
    lifetimes.snapshot = Int64(try times.integer("snapshot"))
    lifetimes.timestamp = Int64(try times.integer("timestamp"))
    var draft = RepositoryDraft(base: base, lifetimes: lifetimes)
    draft.summary = try members.strings("summary")
    draft.renewsSnapshot = try members.node("renewsSnapshot").boolean()
    draft.renewsTimestamp = try members.node("renewsTimestamp").boolean()
    draft.isCompromised = try members.node("isCompromised").boolean()
    draft.root = try read(.root, folder)
    draft.snapshot = try read(.snapshot, folder)
    draft.timestamp = try read(.timestamp, folder)
    for name in try members.strings("targets") {
      guard let role = RoleName(name) else { throw RepositoryProblem.missing(name) }
      let file: SignedTargets? = try read(role, folder)
      draft.targets[role] = file
    }
    try requireKnownRoles(draft)
    if let bytes = try folder.readFile(policy, limit: Envelope.maximumSize) {
      draft.policy = try Envelope(parsing: bytes)
    }
    return draft
  }

  /// Refuses a role that the targets delegate to nobody: no key would have to sign it, and it would be named for ever.
  private static func requireKnownRoles(_ draft: RepositoryDraft) throws(RepositoryProblem) {
    guard draft.targets.keys.contains(where: { $0 != .targets }) else { return }
    // An interrupted publication is read without what it was made for; every bin's change changes the list, or names it.
    guard let targets = draft.contents(.targets) else { return }
    var known: Set<RoleName> = []
    if case .succinct(let bins) = targets.delegations?.form { known = Set(bins.roleNames) }
    for role in draft.targets.keys where role != .targets && !known.contains(role) {
      throw .unknownRole(role)
    }
  }

  private static func read<Role: RoleMetadata>(
    _ role: RoleName,
    _ folder: borrowing Folder
  ) throws -> SignedMetadata<Role>? {
    guard let bytes = try folder.readFile(role.fileName, limit: limit) else { return nil }
    do {
      return try SignedMetadata<Role>(parsing: bytes, as: role, limit: limit)
    } catch {
      throw RepositoryProblem.refused(error, file: role.fileName)
    }
  }
}
