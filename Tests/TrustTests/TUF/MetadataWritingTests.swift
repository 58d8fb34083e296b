import Digests
import Manifests
import Signatures
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// Reference 9: what we write, and that nothing is lost of what others wrote.
struct MetadataWritingTests {
  @Test func `a root is written to the byte`() throws {
    let key = try SimulatedKey("a")
    let role = RoleKeys([key])
    let root = RootMetadata(
      header: MetadataHeader(version: 1, expires: try Timestamp("2030-01-01T00:00:00Z")),
      keys: KeyTable([key]),
      root: role,
      timestamp: role,
      snapshot: role,
      targets: role
    )
    let id = key.id.text
    let digits = hexDigits(of: key.listed.publicKey?.bytes ?? [])
    let roles = ["root", "snapshot", "targets", "timestamp"]
      .map { "\"\($0)\":{\"keyids\":[\"\(id)\"],\"threshold\":1}" }.joined(separator: ",")
    let signed =
      "{\"_type\":\"root\",\"consistent_snapshot\":true,\"expires\":\"2030-01-01T00:00:00Z\",\"keys\":{\"\(id)\":"
      + "{\"keytype\":\"ed25519\",\"keyval\":{\"public\":\"\(digits)\"},\"scheme\":\"ed25519\"}},"
      + "\"roles\":{\(roles)},\"spec_version\":\"1.0.34\",\"version\":1}"
    let file = SignedRoot(root)
    #expect(file.signedBytes == Array(signed.utf8))
    #expect(file.bytes == Array("{\"signatures\":[],\"signed\":\(signed)}".utf8))
    let signature = try key.sign(file.signedBytes)
    let travelling = JSONWriter.canonical(signature.document)
    #expect(travelling == Array("{\"keyid\":\"\(id)\",\"sig\":\"\(signature.hex)\"}".utf8))
    let whole = file.adding(signature)
    #expect(
      whole.bytes
        == Array(
          "{\"signatures\":[\(String(decoding: travelling, as: UTF8.self))],\"signed\":\(signed)}"
            .utf8
        )
    )
  }

  /// A file as others write it: white space, members that are not known at every place, a newline inside `custom`.
  private static let foreign = """
    { "note": "x", "signatures": [ {"keyid": "k", "sig": "00", "cert": [1]} ], "signed": {
      "version": 7, "_type": "targets", "spec_version": "1.0", "expires": "2030-01-01T00:00:00Z", "x-a": {"b": null},
      "targets": { "f\\n": {"length": 1, "hashes": {"sha256": "\(String(repeating: "a", count: 64))", "md5": "00"}, "y": 1,
        "custom": {"text": "one\\ntwo\\u0001"}} },
      "delegations": { "z": 1, "keys": {"k": {"keytype": "ed25519", "extra": true}}, "roles": [
        {"name": "r", "keyids": ["k", "k"], "threshold": 2, "terminating": true, "path_hash_prefixes": ["0", "ab"], "w": []} ] } } }
    """

  @Test func `reading, changing and writing loses nothing`() throws {
    let file = try SignedTargets(parsing: Array(Self.foreign.utf8), as: .targets, limit: 10_000)
    #expect(file.bytes == Array(Self.foreign.utf8))
    // What was read is signed again as it was.
    #expect(SignedTargets(file.contents).signedBytes == file.signedBytes)
    let text = String(decoding: file.signedBytes, as: UTF8.self)
    #expect(text.contains("\"text\":\"one\ntwo\u{1}\"") && text.contains("\"x-a\":{\"b\":null}"))
    let written = file.adding(MetadataSignature(keyID: KeyID("l"), hex: "11"))
    let again = try SignedTargets(parsing: written.bytes, as: .targets, limit: 10_000)
    #expect(again.contents == file.contents && again.signedBytes == file.signedBytes)
    #expect(again.signatures.map(\.keyID.text) == ["k", "l"])
    #expect(again.signatures[0].others == ["cert": [1]])
  }

  @Test func `each kind of file survives being written`() throws {
    var repository = try RepositorySimulator()
    try repository.delegate(to: "role", .hashPrefixes(["0f"]), isTerminating: true)
    try repository.publish()
    let limit = 100_000
    for name in repository.files.keys.sorted() {
      let bytes = repository.files[name] ?? []
      switch name {
      case "1.root.json": try Self.check(SignedRoot(parsing: bytes, as: .root, limit: limit))
      case "timestamp.json":
        try Self.check(SignedTimestamp(parsing: bytes, as: .timestamp, limit: limit))
      case "1.snapshot.json":
        try Self.check(SignedSnapshot(parsing: bytes, as: .snapshot, limit: limit))
      default: try Self.check(SignedTargets(parsing: bytes, as: .targets, limit: limit))
      }
    }
  }

  private static func check<Role>(_ file: SignedMetadata<Role>) throws {
    let again = SignedMetadata(file.contents, signatures: file.signatures)
    #expect(again == file)
  }

  @Test func `what the specification does not have is kept in timestamp, snapshot and root`() throws
  {
    var repository = try RepositorySimulator()
    repository.replace(
      "\"snapshot.json\":",
      with: "\"other\":5,\"snapshot.json\":",
      in: "timestamp.json"
    )
    repository.replace(
      "\"targets.json\":",
      with: "\"odd\":{},\"targets.json\":",
      in: "1.snapshot.json"
    )
    repository.replace(
      "\"roles\":{",
      with: "\"roles\":{\"mirrors\":{\"threshold\":0},",
      in: "1.root.json"
    )
    repository.replace("\"consistent_snapshot\":true,", with: "", in: "1.root.json")
    let timestamp = try SignedTimestamp(
      parsing: repository.files["timestamp.json"] ?? [],
      as: .timestamp,
      limit: 10_000
    )
    #expect(SignedTimestamp(timestamp.contents).signedBytes == timestamp.signedBytes)
    let snapshot = try SignedSnapshot(
      parsing: repository.files["1.snapshot.json"] ?? [],
      as: .snapshot,
      limit: 10_000
    )
    #expect(SignedSnapshot(snapshot.contents).signedBytes == snapshot.signedBytes)
    let root = try SignedRoot(parsing: repository.pin, as: .root, limit: 10_000)
    #expect(SignedRoot(root.contents).signedBytes == root.signedBytes)
    #expect(!root.contents.usesConsistentSnapshots)
    var changed = root.contents
    changed.usesConsistentSnapshots = false
    #expect(SignedRoot(changed).signedBytes != root.signedBytes)
  }

  @Test func `of two signatures under one name the later one is written`() throws {
    let root = try RepositorySimulator().root
    let (first, second) = (
      MetadataSignature(keyID: KeyID("k"), hex: "00"),
      MetadataSignature(keyID: KeyID("k"), hex: "11")
    )
    #expect(SignedRoot(root, signatures: [first]).adding(second).signatures == [second])
  }

  @Test func `the same values always give the same bytes`() throws {
    var (one, other) = (try RepositorySimulator().targets, try RepositorySimulator().targets)
    for number in 0..<50 { one.targets[path("p\(number)")] = TargetFile(of: [UInt8(number)]) }
    for number in (0..<50).reversed() {
      other.targets[path("p\(number)")] = TargetFile(of: [UInt8(number)])
    }
    #expect(SignedTargets(one).bytes == SignedTargets(other).bytes)
  }

  @Test func `the keys of a role are found and set by its name`() throws {
    var root = try RepositorySimulator().root
    let keys = RoleKeys(keyIDs: [KeyID("k")], threshold: 3)
    for role in [RoleName.root, .timestamp, .snapshot, .targets] {
      root[role] = keys
      #expect(root[role] == keys)
    }
    root[role("mirrors")] = keys
    root[.root] = nil
    #expect(root[role("mirrors")] == nil && root.root == keys)
  }
}
