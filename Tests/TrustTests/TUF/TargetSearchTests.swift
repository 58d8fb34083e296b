import Digests
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 5.6.7 and 5.7: the search through delegations.
struct TargetSearchTests {
  private static let file = TargetFile(of: [7])

  /// Searches a repository; returns where it was found, what was asked for, and why it was refused.
  private func search(
    _ text: String,
    in repository: RepositorySimulator,
    visiting limit: Int? = nil
  ) throws -> (way: [String]?, requests: [String], refusal: MetadataRefusal?) {
    var client = SimulatedClient(pin: repository.pin)
    if let limit { client.limits.visitedRoles = limit }
    let metadata = try client.refresh(repository)
    client.forgetRequests()
    var way: [String]?
    let refusal = refusal { () throws(MetadataRefusal) in
      way = try client.find(path(text), in: metadata, of: repository)?.way.map(\.text)
    }
    return (way, client.requests, refusal)
  }

  /// A tree of roles, each written as `delegator>role` or, terminating, `delegator!role`; all for all paths.
  private func tree(_ edges: [String], target: String? = nil) throws -> RepositorySimulator {
    var repository = try RepositorySimulator()
    for edge in edges {
      let isTerminating = edge.contains("!")
      let parts = edge.split { $0 == ">" || $0 == "!" }.map(String.init)
      let name = parts[1]
      try repository.delegate(
        from: role(parts[0]),
        to: name,
        .paths([PathPattern("*")]),
        isTerminating: isTerminating,
        targets: name == target ? [path("f"): Self.file] : [:]
      )
    }
    try repository.publish()
    return repository
  }

  @Test(arguments: [
    (["targets>a", "targets>b"], ["a", "b"]),
    (["targets>b", "targets>a"], ["b", "a"]),
    (["targets>a", "targets>b", "a>c", "a>d", "b>e"], ["a", "c", "d", "b", "e"]),
    (["targets>a", "a>b", "b>c"], ["a", "b", "c"]),
    // Behind a terminating role nothing is asked, at any level.
    (["targets!a", "targets>b"], ["a"]),
    (["targets>a", "targets>b", "a!c", "a>d"], ["a", "c"]),
    (["targets>a", "targets>b", "a>c", "c!d", "a>e"], ["a", "c", "d"]),
    (["targets>a", "targets!b", "targets>c"], ["a", "b"]),
    (["targets!a", "a>b", "a>c"], ["a", "b", "c"]),
    // Rings and diamonds are visited once.
    (["targets>a", "a>b", "b>a"], ["a", "b"]),
    (["targets>a", "targets>b", "a>c", "b>c"], ["a", "c", "b"]),
  ])
  func `roles are visited depth first in the order of the files`(
    edges: [String],
    visited: [String]
  ) throws {
    let repository = try tree(edges)
    // 20 runs, since a map in some client once made the order random.
    for _ in 1...20 {
      let (way, requests, refusal) = try search("f", in: repository)
      #expect(way == nil && refusal == nil)
      #expect(requests == visited.map { "1.\($0).json" })
    }
  }

  @Test func `the search ends where the target is found`() throws {
    let edges = ["targets>a", "targets>b", "a>c", "a>d"]
    let (way, requests, _) = try search("f", in: try tree(edges, target: "c"))
    #expect(way == ["targets", "a", "c"])
    #expect(requests == ["1.a.json", "1.c.json"])
  }

  @Test func `a target of the top is found without a request`() throws {
    var repository = try tree(["targets>a"])
    repository.targets.targets[path("f")] = Self.file
    try repository.release()
    let (way, requests, _) = try search("f", in: repository)
    #expect(way == ["targets"] && requests.isEmpty)
  }

  @Test func `a path matches every delegation on its way`() throws {
    var repository = try RepositorySimulator()
    try repository.delegate(to: "a", .paths([PathPattern("a/*")]))
    try repository.delegate(
      from: role("a"),
      to: "b",
      .paths([PathPattern("*/x"), PathPattern("b/*")]),
      targets: [path("a/x"): Self.file, path("b/y"): Self.file, path("c/x"): Self.file]
    )
    try repository.publish()
    #expect(try search("a/x", in: repository).way == ["targets", "a", "b"])
    let (way, requests, _) = try search("b/y", in: repository)
    #expect(way == nil && requests.isEmpty)
    #expect(try search("a/y", in: repository).requests == ["1.a.json"])
  }

  @Test func `another spelling of a path under Unicode is another path`() throws {
    let (composed, decomposed) = ("caf\u{E9}/x", "cafe\u{301}/x")
    for listed in [composed, decomposed] {
      var repository = try RepositorySimulator()
      try repository.delegate(
        to: "a",
        .paths([PathPattern("caf\u{E9}/*")]),
        targets: [path(listed): Self.file]
      )
      try repository.publish()
      let found = try search(composed, in: repository)
      #expect((found.way != nil) == listed.utf8.elementsEqual(composed.utf8))
      let (way, requests, _) = try search(decomposed, in: repository)
      #expect(way == nil && requests.isEmpty)
    }
  }

  @Test func `a delegated role may not go beyond what it was given`() throws {
    var repository = try RepositorySimulator()
    try repository.delegate(
      to: "a",
      .paths([PathPattern("a/*")]),
      targets: [path("z"): Self.file]
    )
    try repository.publish()
    #expect(try search("z", in: repository).way == nil)
  }

  @Test(arguments: ["..", "../d", "?", "#", "/d", "a%2Fb", "\u{E9}", "root.json", "1.targets"])
  func `a role of an odd name is asked for under its encoded name`(name: String) throws {
    let repository = try tree(["targets>" + name], target: name)
    let (way, requests, _) = try search("f", in: repository)
    #expect(way == ["targets", name])
    #expect(requests == [role(name).requestName(version: 1)])
    #expect(!requests[0].contains("/"))
  }

  /// python-tuf #2978, sigstore-rust #173.
  @Test func `a role is verified with the keys of the delegator through which it is reached`()
    throws
  {
    var repository = try RepositorySimulator()
    let (first, second) = (try SimulatedKey("first"), try SimulatedKey("second"))
    try repository.delegate(to: "a", .paths([PathPattern("a/*")]))
    try repository.delegate(to: "b", .paths([PathPattern("b/*")]))
    try repository.delegate(
      from: role("a"),
      to: "c",
      .paths([PathPattern("*/*")]),
      keys: [first],
      targets: [path("a/x"): Self.file, path("b/x"): Self.file]
    )
    try repository.delegate(from: role("b"), to: "c", .paths([PathPattern("*/*")]), keys: [second])
    try repository.publish()
    // One client, one process, and the role is stored from the first search on.
    var client = SimulatedClient(pin: repository.pin)
    let metadata = try client.refresh(repository)
    #expect(try client.find(path("a/x"), in: metadata, of: repository)?.way.last == role("c"))
    let refusal = refusal { () throws(MetadataRefusal) in
      try client.find(path("b/x"), in: metadata, of: repository)
    }
    #expect(refusal?.section == "5.6.3" && refusal?.role == role("c"))
  }

  @Test func `a role that cannot be verified ends the search, though others could have it`() throws
  {
    var repository = try tree(["targets>a", "targets>b"], target: "b")
    repository.files["1.a.json"] = nil
    let (way, requests, refusal) = try search("f", in: repository)
    #expect(way == nil && refusal?.problem == .absent && refusal?.role == role("a"))
    #expect(requests == ["1.a.json"])
  }

  @Test func `a search visits so many delegated roles`() throws {
    let edges = (1...33).map { "targets>r\($0)" }
    let (way, requests, refusal) = try search("f", in: try tree(edges, target: "r33"))
    #expect(way == nil && requests.count == 32)
    #expect(
      refusal
        == MetadataRefusal(section: "5.6.7.1", role: role("r33"), .tooManyRoles(limit: 32))
    )
    #expect(try search("f", in: try tree(edges, target: "r32")).way == ["targets", "r32"])
    #expect(
      try search("f", in: try tree(["targets>a", "targets>b"]), visiting: 1).refusal?.kind == .limit
    )
  }

  @Test func `a stored role is used if it is the one that is listed, and fetched if not`() throws {
    var repository = try tree(["targets>a"], target: "a")
    var client = SimulatedClient(pin: repository.pin)
    var metadata = try client.refresh(repository)
    _ = try client.find(path("f"), in: metadata, of: repository)
    client.forgetRequests()
    #expect(try client.find(path("f"), in: metadata, of: repository) != nil)
    #expect(client.requests.isEmpty)
    repository[role("a")].header.version = 2
    try repository.release()
    metadata = try client.refresh(repository)
    client.forgetRequests()
    #expect(try client.find(path("f"), in: metadata, of: repository) != nil)
    #expect(client.requests == ["2.a.json"])
  }

  @Test func `hash prefixes divide paths by their SHA-256`() throws {
    let digest = SHA256Digest(of: Array("f".utf8)).hex
    for (prefixes, isFound) in [
      ([String(digest.prefix(2))], true), (["00", digest], true),
      ([String(digest.prefix(1))], true),
      ([], false), ([digest.uppercased()], false), ([digest + "0"], false),
      ([String(digest.dropFirst())], false),
    ] {
      var repository = try RepositorySimulator()
      try repository.delegate(to: "a", .hashPrefixes(prefixes), targets: [path("f"): Self.file])
      try repository.publish()
      #expect((try search("f", in: repository).way != nil) == isFound)
    }
  }

  /// The names of TAP 15: as many digits as the last number has.
  @Test(arguments: [
    (1, ["bin-0", "bin-1"]), (4, (0..<16).map { "bin-" + String($0, radix: 16) }),
    (5, ["bin-00", "bin-01"]), (8, ["bin-00"]), (9, ["bin-000"]), (32, ["bin-00000000"]),
  ])
  func `bins are named by their numbers`(bitLength: Int, names: [String]) throws {
    let bins = SuccinctRoles(
      keys: RoleKeys(keyIDs: [], threshold: 1),
      bitLength: bitLength,
      namePrefix: "bin"
    )
    #expect(bins.roleNames.prefix(names.count).map(\.text) == names)
    #expect(bins.binCount == 1 << bitLength)
  }

  @Test func `each path has one bin, by the first bits of its SHA-256`() throws {
    var repository = try RepositorySimulator.withBins(bitLength: 5)
    guard case .succinct(let bins)? = repository.targets.delegations?.form else {
      Issue.record("the repository has bins")
      return
    }
    for number in 0..<40 {
      let name = path("target \(number)")
      let digest = SHA256Digest(of: Array(name.text.utf8))
      let number = String(digest.bytes[0] >> 3, radix: 16)
      let bin = "bin-" + (number.utf8.count == 1 ? "0" : "") + number
      #expect(bins.roleName(for: name).text == bin)
      repository[role(bin)].targets[name] = Self.file
    }
    try repository.release()
    let (way, requests, _) = try search("target 7", in: repository)
    let bin = bins.roleName(for: path("target 7"))
    #expect(way == ["targets", bin.text] && requests == [bin.requestName(version: 1)])
    #expect(try search("no such target", in: repository).way == nil)
    #expect(try search("no such target", in: repository).requests.count == 1)
  }

  @Test func `a search offline looks at expiry only if it is asked to`() throws {
    var repository = try tree(["targets>a"], target: "a")
    repository[role("a")].header.expires = RepositorySimulator.time(10)
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    let metadata = try client.refresh(repository)
    _ = try client.find(path("f"), in: metadata, of: repository)
    let late = RepositorySimulator.time(20)
    repository.files = [:]
    let current = try TrustedMetadata(offline: client.stored, ignoringExpiry: false, now: late)
    #expect(
      refusal { () throws(MetadataRefusal) in
        try client.find(path("f"), in: current, of: repository)
      }?.problem == .absent
    )
    let stale = try TrustedMetadata(offline: client.stored, ignoringExpiry: true, now: late)
    #expect(try client.find(path("f"), in: stale, of: repository)?.file == Self.file)
  }

  @Test func `after a refusal another mirror may answer for the same role`() throws {
    let repository = try tree(["targets>a"], target: "a")
    var client = SimulatedClient(pin: repository.pin)
    let metadata = try client.refresh(repository)
    var machine = TargetSearch(path("f"), in: metadata)
    guard case .read(let name) = try machine.start() else {
      Issue.record("a role is looked for")
      return
    }
    #expect(name == role("a"))
    guard case .fetch(let request) = try machine.stored([0]) else {
      Issue.record("a role is asked for")
      return
    }
    for bad in [MetadataResponse.absent, .bytes([0])] {
      #expect(refusal { () throws(MetadataRefusal) in try machine.received(bad) } != nil)
    }
    guard case .keep = try machine.received(repository.answer(request)) else {
      Issue.record("the good answer is kept")
      return
    }
    guard case .done(let found?) = try machine.kept() else {
      Issue.record("the target is found")
      return
    }
    #expect(found.path == path("f"))
  }

  // 5.7.3 and 6.2: where a target lies.

  @Test func `a target lies under its digest in consistent snapshots`() throws {
    let sha256 = SHA256Digest(of: [7])
    let sha512 = SHA512Digest(of: [7])
    for (isConsistent, hashes, expected) in [
      (true, FileHashes(sha256: sha256), "a/\(sha256.hex).f"),
      (true, FileHashes(sha256: nil, sha512: sha512), "a/\(sha512.hex).f"),
      (true, FileHashes(sha256: sha256, sha512: sha512), "a/\(sha256.hex).f"),
      (false, FileHashes(sha256: sha256), "a/f"),
    ] {
      #expect(try place("a/f", TargetFile(length: 1, hashes: hashes), isConsistent) == expected)
    }
  }

  @Test(arguments: ["../escape", "a/../../escape", ".", ".."])
  func `a target whose path leads elsewhere is refused`(text: String) throws {
    let refusal = try placeRefusal(text, Self.file)
    #expect(refusal?.problem == .unsafePath && refusal?.target == path(text))
    #expect(refusal?.section == "5.7.3")
  }

  @Test func `a target is no longer than the caller takes`() throws {
    var repository = try RepositorySimulator()
    repository.targets.targets[path("f")] = TargetFile(of: [1, 2, 3])
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    let metadata = try client.refresh(repository)
    let found = try #require(try client.find(path("f"), in: metadata, of: repository))
    var limits = MetadataLimits.standard
    limits.target = 3
    #expect(throws: Never.self) { try found.requestPath(in: metadata, limits: limits) }
    limits.target = 2
    let refusal = refusal { () throws(MetadataRefusal) in
      try found.requestPath(in: metadata, limits: limits)
    }
    #expect(refusal?.problem == .listedTooLong(3, limit: 2))
  }

  @Test func `of many matching roles no more are visited, nor fewer found`() throws {
    let names = (1...40).map { "r\($0)" }
    let edges = names.map { "targets>\($0)" }
    let last = try search("f", in: try tree(edges, target: "r32"))
    #expect(last.way == ["targets", "r32"] && last.requests.count == 32)
    let beyond = try search("f", in: try tree(edges, target: "r33"))
    #expect(beyond.refusal?.problem == .tooManyRoles(limit: 32))
    #expect(beyond.requests == names.prefix(32).map { "1.\($0).json" })
  }

  @Test func `a target that is too long or has no known digest is not asked for`() throws {
    let long = TargetFile(length: 64 << 20 + 1, hashes: FileHashes(of: []))
    #expect(try placeRefusal("f", long)?.kind == .limit)
    var unknown = FileHashes(sha256: nil)
    unknown.others = ["md5": "00"]
    #expect(
      try placeRefusal("f", TargetFile(length: 1, hashes: unknown))?.problem == .noKnownDigest
    )
  }

  private func place(
    _ text: String,
    _ file: TargetFile,
    _ isConsistent: Bool = true
  ) throws -> String {
    var repository = try RepositorySimulator(isConsistent: isConsistent)
    repository.targets.targets[path(text)] = file
    try repository.release()
    var client = SimulatedClient(pin: repository.pin)
    let metadata = try client.refresh(repository)
    let found = try #require(try client.find(path(text), in: metadata, of: repository))
    return try found.requestPath(in: metadata)
  }

  private func placeRefusal(_ text: String, _ file: TargetFile) throws -> MetadataRefusal? {
    do {
      _ = try place(text, file)
      return nil
    } catch let error as MetadataRefusal { return error }
  }
}
