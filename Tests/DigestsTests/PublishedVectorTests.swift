import Digests
import Testing
import Vectors

/// The SHA-256 vectors of the Cryptographic Algorithm Validation System (NIST).
@Suite(.vectors(.cryptography))
struct PublishedVectorTests {
  @Test(arguments: [("SHA256ShortMsg.rsp", 65), ("SHA256LongMsg.rsp", 64)])
  func `the digests of the published messages are right`(name: String, count: Int) throws {
    let groups = try ResponseFile(.cryptography, "hashes/SHA2/\(name)").groups
    #expect(groups.count == count)
    for group in groups {
      let length = try #require(group["Len"].flatMap { Int($0) })
      // A message of no bits is written as one byte.
      let message = try #require(group["Msg"].flatMap { [UInt8](hex: $0) }).prefix(length / 8)
      #expect(SHA256Digest(of: Array(message)).hex == group["MD"])
    }
  }

  @Test func `the published chain of digests is right at each of its hundred stations`() throws {
    let groups = try ResponseFile(.cryptography, "hashes/SHA2/SHA256Monte.rsp").groups
    #expect(groups.count == 100)
    var seed = try #require(groups.first?["Seed"].flatMap { [UInt8](hex: $0) })
    for group in groups {
      // SHAVS section 6.4: each digest of the three before it, a thousand times.
      var last = [seed, seed, seed]
      for _ in 0..<1000 {
        var hasher = SHA256()
        for digest in last { hasher.update(digest.span) }
        last = [last[1], last[2], hasher.finalize().bytes]
      }
      seed = last[2]
      #expect(SHA256Digest(bytes: seed)?.hex == group["MD"])
    }
  }
}
