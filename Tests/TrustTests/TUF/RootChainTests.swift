import TUFSimulator
import Testing
import Trust

/// Whether a root may take the place of the one that is pinned.
struct RootChainTests {
  /// Three roots of one repository, and its simulator at the last of them.
  private func roots() throws -> (RepositorySimulator, [[UInt8]]) {
    var repository = try RepositorySimulator.withSeparateKeys()
    for _ in 2...3 { try repository.releaseRoot() }
    return (repository, (1...3).map { repository.files["\($0).root.json"] ?? [] })
  }

  @Test func `a root leads to itself and to each that follows, over those between`() throws {
    let (_, roots) = try roots()
    #expect(try RootChain.leads(from: roots[1], to: roots[1], over: []))
    #expect(try RootChain.leads(from: roots[1], to: roots[2], over: []))
    #expect(try RootChain.leads(from: roots[0], to: roots[2], over: [roots[1]]))
    #expect(try !RootChain.leads(from: roots[0], to: roots[2], over: []))
  }

  @Test func `no root leads to an older one`() throws {
    let (_, roots) = try roots()
    #expect(try !RootChain.leads(from: roots[1], to: roots[0], over: roots))
    #expect(try !RootChain.leads(from: roots[2], to: roots[0], over: roots))
  }

  @Test func `a root that was made up to lead to the pinned one does not follow from it`() throws {
    let (repository, roots) = try roots()
    let thief = try SimulatedKey("thief")
    var root = repository.root
    root.header.version = 1
    root.keys.insert(thief.listed)
    root.root = RoleKeys((repository.signers[.root] ?? []) + [thief], threshold: 1)
    let forged = try SignedRoot(root).signed(by: [thief]).bytes
    // It does lead to the genuine one, as whoever made it wanted.
    #expect(try RootChain.leads(from: forged, to: roots[1], over: []))
    #expect(try !RootChain.leads(from: roots[1], to: forged, over: roots))
  }

  @Test func `what is no root is led to by none`() throws {
    let (_, roots) = try roots()
    #expect(try !RootChain.leads(from: roots[0], to: [1, 2, 3], over: roots))
  }
}
