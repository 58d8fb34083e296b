import Manifests
import Testing

struct RuntimeJoiningTests {
  private func need(
    _ minimum: String,
    below: String? = nil,
    exclude: [String] = [],
    because: [String],
    of name: String = "llama.cpp"
  ) throws -> RuntimeRequirement {
    try RuntimeRequirement(
      name: RuntimeName(name),
      scheme: .build,
      minimum: minimum,
      below: below,
      exclude: exclude,
      because: because
    )
  }

  @Test func `merged, the higher minimum gives the reasons`() throws {
    let low = try need("b1000", because: ["old"])
    let high = try need("b2000", because: ["new"])
    for merged in [try low.merged(with: high), try high.merged(with: low)] {
      #expect(merged == high)
      #expect(merged.isAtLeast(low) && merged.isAtLeast(high))
    }
    #expect(!low.isAtLeast(high))
  }

  @Test func `merged, equal minimums keep the reasons of both, each once`() throws {
    let one = try need("b1000", because: ["a", "b"])
    let other = try need("b1000", because: ["b", "c"])
    #expect(try one.merged(with: other).because == ["a", "b", "c"])
  }

  @Test func `merged, the lower end and all exclusions hold`() throws {
    let one = try need("b1000", below: "b9000", exclude: ["b1500", "b1600"], because: ["a"])
    let other = try need("b1000", below: "b8000", exclude: ["b1600"], because: ["b"])
    let open = try need("b1000", because: ["c"])
    #expect(try one.merged(with: other).below == "b8000")
    #expect(try other.merged(with: one).below == "b8000")
    #expect(try open.merged(with: other).below == "b8000")
    #expect(try one.merged(with: other).exclude.map(\.text) == ["b1500", "b1600"])
  }

  @Test func `joined, the own minimum stays, with all reasons`() throws {
    let stated = try need("b3000", because: ["stated"])
    let derived = try need("b2000", below: "b7000", because: ["bytes"])
    let joined = try stated.joined(with: derived)
    #expect(joined.minimum == "b3000")
    #expect(joined.below == "b7000")
    #expect(joined.because == ["stated", "bytes"])
  }

  @Test func `forced, it says what it leaves unmet`() throws {
    let stated = try need("b1000", because: [])
    let derived = try need("b2000", because: ["GGUF 3", "qwen2"])
    let forced = try stated.forced(below: derived)
    #expect(forced.minimum == "b1000")
    #expect(forced.because == ["forced below b2000 (GGUF 3, qwen2)"])
    #expect(forced.isForced)
    #expect(!derived.isForced)
  }

  @Test func `needs of several files are merged by runtime, in the order of the first`() throws {
    let merged = try RuntimeRequirement.merged([
      need("b1000", because: ["a"]), need("b5", because: ["b"], of: "other"),
      need("b2000", because: ["c"]),
    ])
    #expect(merged.map(\.name.text) == ["llama.cpp", "other"])
    #expect(merged.map(\.minimum) == ["b2000", "b5"])
  }

  @Test func `other runtimes are not compared`() throws {
    let one = try need("b1000", because: [])
    let other = try need("b1", because: [], of: "other")
    #expect(!one.isComparable(with: other))
    #expect(!one.isAtLeast(other))
  }
}
