import Digests
import Testing

@Suite struct HashChoiceTests {
  @Test func `libcrypto is chosen where there is nothing else`() {
    let choice = HashChoice(among: [.libcrypto])
    #expect(choice.path == .libcrypto)
    #expect(choice.fewestMessages == 1)
    #expect(choice.broken == [])
  }

  @Test func `what this machine has is right`() {
    #expect(HashChoice.forThisMachine.broken == [])
    #expect(HashChoice.forThisMachine.path.isAvailable)
  }

  @Test func `the lanes of the choice pay with no more messages than there are lanes`() {
    let choice = HashChoice.forThisMachine
    #expect(1...choice.path.laneCount ~= choice.fewestMessages)
  }

  @Test(arguments: HashPath.allCases.filter { $0.isAvailable && $0 != .libcrypto })
  func `a way that hashes wrongly is left out and reported`(path: HashPath) {
    let choice = HashChoice(among: [path, .libcrypto]) {
      guard $0 == path else { return nil }
      return unsafe LaneCompression(count: path.laneCount) { state, _, _ in unsafe state?[3] ^= 1 }
    }
    #expect(choice.path == .libcrypto)
    #expect(choice.broken == [path])
  }
}
