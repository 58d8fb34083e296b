import Foundation
import Manifests
import Publishing
import ReleaseSimulator
import Signatures
import TestSupport
import Testing
import Trust

/// What becomes of changes in a tree that others write to, that was interrupted, or that somebody has tampered with.
@Suite(.temporaryFolder)
struct PublicationTests {
  private static let day: Int64 = 86_400

  private let owner: SimulatedSigner
  private let other: SimulatedSigner
  private let start: Timestamp

  init() throws {
    owner = try SimulatedSigner("owner")
    other = try SimulatedSigner("other")
    start = try Timestamp(RepositoryWorld.start)
  }

  private var path: String { TemporaryFolder.path("public") }

  private func after(days: Int64) throws -> Timestamp {
    try #require(Timestamp(seconds: start.seconds + days * Self.day))
  }

  /// Makes a tree in which `owner` does all, or all but the timestamp.
  private func make(online: SimulatedSigner? = nil, hasBins: Bool = false) throws -> RepositoryTree
  {
    let tree = try RepositoryTree(creating: path)
    let (all, timestamp) = ([owner.publicKey], [(online ?? owner).publicKey])
    var draft = try RepositoryDraft(
      newRepositoryWith: [
        .root: (all, 1), .targets: (all, 1), .snapshot: (all, 1), .timestamp: (timestamp, 1),
      ],
      policy: RepositoryPolicy(version: 1, policy: try RepositoryWorld.policy(owner)),
      hasBins: hasBins,
      lifetimes: RoleLifetimes(),
      at: start
    )
    try publish(&draft, tree, at: start, by: [owner] + (online.map { [$0] } ?? []))
    return tree
  }

  private func publish(
    _ draft: inout RepositoryDraft,
    _ tree: borrowing RepositoryTree,
    at now: Timestamp? = nil,
    by signers: [SimulatedSigner]? = nil
  ) throws {
    let now = now ?? start
    try draft.sign(with: (signers ?? [owner]).map(\.asRepositorySigner), at: now)
    try tree.publish(draft, at: now)
  }

  /// A change of what is published that lists one more release.
  private func adding(_ version: String, to tree: borrowing RepositoryTree) throws
    -> RepositoryDraft
  {
    var draft = RepositoryDraft(base: try tree.state(at: start))
    try draft.add([try RepositoryDraft.NewRelease("tiny", version, by: owner)], at: start)
    return draft
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: "\(path)/metadata"))
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
  }

  private func write(_ bytes: [UInt8], at name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  private var isPending: Bool { FileManager.default.fileExists(atPath: "\(path)/.sealift/pending") }

  // MARK: Expiry

  @Test func `a root that has expired is renewed together with the timestamp`() throws {
    let tree = try make()
    let late = try after(days: 400)
    var draft = RepositoryDraft(base: try tree.state(at: late))
    #expect(draft.refresh(within: 0, at: late) == [])
    try publish(&draft, tree, at: late)
    let seen = try StagedTree.trusted(at: late) { try tree.read($0, limit: $1) }
    #expect(seen.root.version == 2 && seen.timestamp.version == 2)
  }

  @Test func `what the keys at hand cannot renew is left out, and the rest is renewed`() throws {
    let tree = try make(online: other)
    let late = try after(days: 360)
    var draft = RepositoryDraft(base: try tree.state(at: late))
    let left = draft.refresh(within: 14 * Self.day, at: late, by: [other.publicKey])
    #expect(left == [.root])
    try publish(&draft, tree, at: late, by: [other])
    let state = try tree.state(at: late)
    #expect(state.timestamp.version == 2 && state.root.version == 1)
  }

  @Test func `the timestamp is renewed while a change waits, which is completed afterwards`() throws
  {
    let tree = try make(online: other)
    var waiting = try adding("1.0.0", to: tree)
    try waiting.sign(with: [owner.asRepositorySigner], at: start)
    #expect(waiting.missing.map(\.part) == [.role(.timestamp)])
    try tree.stage(waiting)
    let late = try after(days: 29)
    var renewal = RepositoryDraft(base: try tree.state(at: late))
    #expect(renewal.refresh(within: 2 * Self.day, at: late, isBesideAnother: true) == [])
    try publish(&renewal, tree, at: late, by: [other])
    #expect(isPending)
    let later = try after(days: 40)
    var found = try #require(try tree.pendingDraft(for: try tree.state(at: later), at: later))
    try publish(&found, tree, at: later, by: [other])
    let seen = try StagedTree.trusted(at: later) { try tree.read($0, limit: $1) }
    #expect(seen.timestamp.version == 3 && seen.targets.version == 2)
    #expect(!isPending)
  }

  // MARK: Rivals

  @Test func `a change that was outrun leaves no file and no pending change`() throws {
    let tree = try make()
    var slow = try adding("1.0.0", to: tree)
    var fast = RepositoryDraft(base: try tree.state(at: start))
    _ = fast.refresh(within: 40 * Self.day, at: start)
    try publish(&fast, tree)
    let before = try names()
    #expect(throws: RepositoryProblem.publishedMeanwhile(expected: 1, found: 2)) {
      try publish(&slow, tree)
    }
    #expect(try names() == before)
    #expect(!isPending)
    var again = try adding("1.0.0", to: tree)
    try publish(&again, tree)
    #expect(try tree.state(at: start).timestamp.version == 3)
  }

  @Test func `a new root alone is compared with what was published meanwhile`() throws {
    let tree = try make()
    let late = try after(days: 20)
    var slow = RepositoryDraft(base: try tree.state(at: late))
    try slow.rotate(
      [KeyRotation(.root, adding: [other.publicKey])],
      isCompromised: false,
      policy: nil,
      at: late
    )
    var fast = try adding("1.0.0", to: tree)
    try publish(&fast, tree)
    #expect(throws: RepositoryProblem.publishedMeanwhile(expected: 1, found: 2)) {
      try publish(&slow, tree, at: late, by: [owner, other])
    }
    #expect(try !names().contains("2.root.json"))
  }

  // MARK: Interruption

  /// Stops the publication of a release where the snapshot comes, whose place is taken.
  private func interrupt(_ tree: borrowing RepositoryTree) throws {
    try write(Array("{}".utf8), at: "metadata/2.snapshot.json")
    var draft = try adding("1.0.0", to: tree)
    #expect(throws: RepositoryProblem.versionTaken("metadata/2.snapshot.json")) {
      try publish(&draft, tree)
    }
    #expect(try names().contains("2.targets.json"))
    #expect(isPending)
    #expect(try tree.isInterrupted)
  }

  @Test func `a change whose numbers are taken is taken back with its files, which frees theirs`()
    throws
  {
    let tree = try make()
    try interrupt(tree)
    try tree.discardPending()
    #expect(try !names().contains("2.targets.json"))
    #expect(!isPending)
    try remove("metadata/2.snapshot.json")
    var again = try adding("2.0.0", to: tree)
    try publish(&again, tree)
    #expect(try tree.state(at: start).timestamp.version == 2)
  }

  @Test func `what was being published is completed rather than taken back`() throws {
    let tree = try make()
    try interrupt(tree)
    try remove("metadata/2.snapshot.json")
    #expect(throws: RepositoryProblem.publishedAlready) { try tree.discardPending() }
    #expect(try tree.state(at: start).timestamp.version == 2)
    #expect(!isPending)
    #expect(try !tree.isInterrupted)
  }

  @Test func `what was being published is completed although the old timestamp was lost`() throws {
    let tree = try make()
    try interrupt(tree)
    try remove("metadata/2.snapshot.json")
    try remove("metadata/timestamp.json")
    #expect(try tree.recover() == .completed)
    #expect(try tree.state(at: start).timestamp.version == 2)
    #expect(!isPending)
  }

  @Test(arguments: ["targets.json", "snapshot.json", "timestamp.json"])
  func `a change that lost a file is not moved, and can be taken back`(file: String) throws {
    let tree = try make()
    try interrupt(tree)
    try remove("metadata/2.snapshot.json")
    try remove(".sealift/pending/\(file)")
    #expect(throws: RepositoryProblem.missing(file)) { try tree.recover() }
    #expect(try !names().contains("2.snapshot.json"))
    try tree.discardPending()
    #expect(!isPending)
  }

  // MARK: Tampering

  @Test func `a newest root that does not follow is refused, and not skipped`() throws {
    let tree = try make()
    try write(try bytes("metadata/1.root.json"), at: "metadata/2.root.json")
    #expect(
      throws: RepositoryProblem.refused(
        MetadataRefusal(section: "5.3.5", role: .root, .wrongVersion(found: 1, expected: 2)),
        file: "metadata/2.root.json"
      )
    ) { try tree.state(at: start) }
  }

  /// The first root under another number, signed by `owner`.
  private func root(_ version: Int, like first: SignedRoot) throws -> [UInt8] {
    var contents = first.contents
    contents.header.version = version
    let file = SignedRoot(contents)
    let signature = try owner.secretKey().sign(file.signedBytes)
    return file.adding(MetadataSignature(signature, by: owner.publicKey)).bytes
  }

  @Test func `a server that answers every path is not asked for ever`() throws {
    let first = try make().state(at: start).root
    var asked: [String] = []
    // One body for all, then a root for every number.
    #expect(
      throws: RepositoryProblem.refused(
        MetadataRefusal(section: "5.3.5", role: .root, .wrongVersion(found: 1, expected: 2)),
        file: "metadata/2.root.json"
      )
    ) {
      _ = try RepositoryState(at: start, pin: first.bytes) { path, _ in
        asked.append(path)
        return first.bytes
      }
    }
    #expect(asked == ["metadata/2.root.json"])
    asked = []
    let limit = MetadataLimits.standard.newRoots
    #expect(throws: RepositoryProblem.tooManyRoots(limit: limit)) {
      _ = try RepositoryState(at: start, pin: first.bytes) { path, _ in
        asked.append(path)
        return try root(asked.count + 1, like: first)
      }
    }
    #expect(asked.count == limit + 1)
  }

  @Test func `nothing follows a pinned root of the last number`() throws {
    let last = try root(.max, like: try make().state(at: start).root)
    var asked: [String] = []
    #expect(throws: RepositoryProblem.missing("metadata/timestamp.json")) {
      _ = try RepositoryState(at: start, pin: last) { path, _ in
        asked.append(path)
        return nil
      }
    }
    #expect(asked == ["metadata/root.json", "metadata/timestamp.json"])
  }

  @Test func `an older bin in the place of the newest one is refused by state and check`() throws {
    let tree = try make(hasBins: true)
    for version in ["1.0.0", "2.0.0"] {
      var draft = try adding(version, to: tree)
      try publish(&draft, tree)
    }
    let index = try #require(TargetPath(RepositoryPath.index(of: try ModelName("tiny"))))
    let state = try tree.state(at: start)
    let role = try #require(state.bins.first { $0.value.contents.targets[index] != nil }).key
    let version = try #require(state.bins[role]).version
    #expect(version == 3)
    try write(
      try bytes(RepositoryLayout.metadata(role, 2)),
      at: RepositoryLayout.metadata(role, version)
    )
    #expect(throws: RepositoryProblem.self) { try tree.state(at: start) }
    let seen = try StagedTree.trusted(at: start) { try tree.read($0, limit: $1) }
    #expect(throws: RepositoryProblem.self) {
      try StagedTree.checkBins(in: seen) { try tree.read($0, limit: $1) }
    }
    #expect(throws: RepositoryProblem.self) {
      try StagedTree.checkBins(in: seen, [role]) { try tree.read($0, limit: $1) }
    }
    let others = Set(state.bins.keys).subtracting([role])
    try StagedTree.checkBins(in: seen, others) { try tree.read($0, limit: $1) }
  }

  /// Puts a timestamp of the last number there is into the tree, as a thief of the key would.
  private func windForward(_ tree: borrowing RepositoryTree) throws {
    let state = try tree.state(at: start)
    let file = SignedTimestamp(
      TimestampMetadata(
        header: MetadataHeader(version: .max, expires: try after(days: 10)),
        snapshot: state.timestamp.contents.snapshot
      )
    )
    let signature = try owner.secretKey().sign(file.signedBytes)
    let signed = file.adding(MetadataSignature(signature, by: owner.publicKey))
    try write(signed.bytes, at: "metadata/timestamp.json")
  }

  @Test func `where the numbers are used up, new keys begin anew, and old ones are refused`() throws
  {
    let tree = try make()
    try windForward(tree)
    var more = try adding("1.0.0", to: tree)
    #expect {
      try publish(&more, tree)
    } throws: { error in
      guard case RepositoryProblem.refused(let refusal, _) = error else { return false }
      return refusal.role == .timestamp
    }
    var draft = RepositoryDraft(base: try tree.state(at: start))
    try draft.rotate(
      [RoleName.snapshot, .timestamp].map {
        KeyRotation($0, adding: [other.publicKey], removing: [owner.fingerprint])
      },
      isCompromised: true,
      policy: nil,
      at: start
    )
    try publish(&draft, tree, by: [owner, other])
    #expect(try tree.state(at: start).timestamp.version == Int(start.seconds))
  }

  @Test func `lifetimes of any length end in the year 9999 at the latest`() {
    var lifetimes = RoleLifetimes()
    for seconds in [Int64.max, 1 << 53, 253_402_300_799] {
      lifetimes.root = seconds
      #expect(lifetimes.end(of: .root, from: start).text == "9999-12-31T23:59:59Z")
    }
  }
}
