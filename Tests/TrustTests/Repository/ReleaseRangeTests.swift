import Manifests
import Testing
import Trust

/// What stands after the @ of a model.
struct ReleaseRangeTests {
  private static let ranges: [(text: String, holds: [String], lacks: [String])] = [
    ("1.2.0", ["1.2.0"], ["1.2.0-rc.1", "1.2.1"]),
    ("1", ["1.0.0", "1.99.0", "1.0.0-rc.1"], ["10.0.0", "0.1.0", "2.0.0-rc.1"]),
    ("1.2", ["1.2.0", "1.2.9-a"], ["1.20.0", "1.1.0"]),
    ("0", ["0.0.1"], ["1.0.0"]),
    ("1.2.0..1.4.0", ["1.2.0", "1.3.5", "1.4.0-rc.1", "1.4.0"], ["1.2.0-rc.1", "1.4.1"]),
    ("1.2.0..", ["1.2.0", "9.0.0"], ["1.1.9"]),
    ("..1.2.0", ["0.0.0-a", "1.2.0"], ["1.2.1"]),
    ("1.0.0-rc.1..1.0.0-rc.1", ["1.0.0-rc.1"], ["1.0.0"]),
  ]

  @Test(arguments: ranges)
  func `a range holds the versions that it names`(
    text: String,
    holds: [String],
    lacks: [String]
  ) throws {
    let range = try ReleaseRange(text)
    #expect("\(range)" == text)
    for version in holds { #expect(try range.contains(Version(version)), "\(version)") }
    for version in lacks { #expect(try !range.contains(Version(version)), "\(version)") }
    #expect(try ReleaseRange.any.contains(Version("0.0.1")) && "\(ReleaseRange.any)".isEmpty)
  }

  @Test(arguments: ["", "..", "01", "1.02", "x", "1.2.x", "1.2.3.4", "^1.2.0", "1...2", "1.0.0..2"])
  func `what is no range is refused`(text: String) {
    #expect(throws: ManifestError.self) { try ReleaseRange(text) }
  }

  @Test(arguments: ["1.1..", "1.3..1.4", "^1", "1.0.0..2"])
  func `the forms are named where a range has none of them`(text: String) throws {
    do {
      _ = try ReleaseRange(text)
      Issue.record("it was taken")
    } catch .text(let problem) {
      #expect(problem.kind == .versionRange && problem.found == text)
      #expect(problem.fault.text.contains("FROM.. or ..TO with versions such as 1.2.0"))
    } catch {
      throw error
    }
  }

  @Test func `a range that is empty is refused`() {
    #expect(throws: ManifestError.text(TextProblem(.versionRange, "2.0.0..1.0.0", .emptyRange))) {
      try ReleaseRange("2.0.0..1.0.0")
    }
  }
}
