import Digests
import Testing
import Transfers

@Suite struct PartJournalTests {
  private static func request(size: Int = 10, digest: [UInt8] = [1]) -> FetchRequest {
    var chunks = ChunkTable()
    chunks.append(length: size, digest: SHA256Digest(of: digest))
    return FetchRequest(
      label: "a",
      name: "0",
      size: size,
      digest: SHA256Digest(of: [9]),
      chunks: chunks,
      sources: []
    )
  }

  private let journal = PartJournal(for: request())

  private func bytes(_ claims: [Int]) -> [UInt8] {
    claims.reduce(journal.header) { $0 + journal.record($1) }
  }

  @Test func `claims come back as they were written`() {
    #expect(journal.claims(in: bytes([0, 3, .max, 3])) == [0, 3, .max, 3])
    #expect(journal.claims(in: bytes([])) == [])
  }

  @Test func `a record that a kill cut short is left out`() {
    let whole = bytes([4, 5])
    for cut in 1..<12 { #expect(journal.claims(in: Array(whole.dropLast(cut))) == [4]) }
  }

  @Test func `a journal with any damaged byte claims nothing`() {
    let whole = bytes([4, 5])
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1
      #expect(journal.claims(in: damaged) == nil, "byte \(index)")
    }
    #expect(journal.claims(in: []) == nil)
  }

  @Test func `a journal of another size or table claims nothing`() {
    let other = [Self.request(size: 11), Self.request(digest: [2])]
    for request in other { #expect(PartJournal(for: request).claims(in: bytes([0])) == nil) }
  }
}
