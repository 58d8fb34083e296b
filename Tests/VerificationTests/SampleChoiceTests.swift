import Verification
import Testing

@Suite struct SampleChoiceTests {
  @Test(arguments: [1, 2, 3, 4, 7, 100])
  func `as many chunks as asked for are chosen, the first and the last among them`(count: Int) {
    for seed in 0..<200 {
      let choice = SampleChoice(count: count, seed: UInt64(seed))
      let chosen = choice.indices(of: 101, file: seed % 3)
      #expect(chosen.count == count)
      #expect(Set(chosen).count == count)
      #expect(chosen == chosen.sorted())
      #expect(chosen.first == 0)
      if count > 1 { #expect(chosen.last == 100) }
    }
  }

  @Test func `a file with no more chunks than that is read whole`() {
    #expect(SampleChoice(count: 4, seed: 1).indices(of: 3, file: 0) == [0, 1, 2])
    #expect(SampleChoice(count: 4, seed: 1).indices(of: 4, file: 0) == [0, 1, 2, 3])
    #expect(SampleChoice(count: 1, seed: 1).indices(of: 4, file: 0) == [0])
  }

  @Test func `a seed chooses the same again, and differs from file to file`() {
    let choice = SampleChoice(count: 5, seed: 42)
    let again = SampleChoice(count: 5, seed: 42)
    #expect(choice.indices(of: 10_000, file: 1) == again.indices(of: 10_000, file: 1))
    #expect(choice.indices(of: 10_000, file: 1) != choice.indices(of: 10_000, file: 2))
    let other = SampleChoice(count: 5, seed: 43)
    #expect(choice.indices(of: 10_000, file: 1) != other.indices(of: 10_000, file: 1))
  }

  @Test func `each chunk in between is chosen by some seed`() {
    var seen: Set<Int> = []
    for seed in 0..<UInt64(500) {
      seen.formUnion(SampleChoice(count: 4, seed: seed).indices(of: 9, file: 0))
    }
    #expect(seen == Set(0..<9))
  }
}
