import Manifests
import Testing

struct VersionTests {
  @Test func `the chain of the specification is in order`() throws {
    let chain = [
      "0.0.0-0", "0.0.0", "0.9.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.9.0", "1.10.0",
      "1.11.0", "2.0.0", "2.1.0", "2.1.1", "99999999999999999999.0.0", "100000000000000000000.0.0",
    ]
    let versions = try chain.map { try Version($0) }
    for (lower, one) in versions.enumerated() {
      for (higher, other) in versions.enumerated() {
        #expect((one < other) == (lower < higher), "\(one) and \(other)")
        #expect((one == other) == (lower == higher))
      }
    }
  }

  @Test(arguments: [
    ("1.0.0-2", "1.0.0-10"), ("1.0.0-10", "1.0.0-a"), ("1.0.0-A", "1.0.0-a"),
    ("1.0.0-99999999999999999998", "1.0.0-99999999999999999999"), ("1.0.0--", "1.0.0-a"),
    ("1.0.0-a", "1.0.0-a.0"),
  ])
  func `a pre-release compares identifier by identifier`(lower: String, higher: String) throws {
    #expect(try Version(lower) < Version(higher))
    #expect(try !(Version(higher) < Version(lower)))
  }

  @Test(arguments: [
    "0.0.4", "1.2.3", "10.20.30", "1.1.2-prerelease", "1.0.0-alpha-a.b-c", "1.0.0-0A.is.legal",
    "1.2.3----RC-SNAPSHOT.12.9.1--.12", "99999999999999999999999.999999999999999999.9999999999999",
    "1.0.0-0a", "1.0.0--1",
  ])
  func `valid texts are kept as they are`(text: String) throws {
    #expect(try Version(text).text == text)
  }

  static let form = TextFault.badForm(expected: "MAJOR.MINOR.PATCH or MAJOR.MINOR.PATCH-PRERELEASE")

  @Test(
    arguments: [
      ("", .empty), ("1", form), ("1.2", form), ("1.2.3.4", form), ("v1.2.3", form),
      ("1.2.x", form), ("-1.2.3", form), ("+1.2.3", .buildMetadata), ("1.2.3+b", .buildMetadata),
      ("1.2.3-a+b", .buildMetadata), ("01.2.3", .leadingZero), ("1.02.3", .leadingZero),
      ("1.2.03", .leadingZero), ("1.2.3-01", .leadingZero), ("1..3", .emptyPart),
      ("1.2.", .emptyPart), ("1.2.3-", .emptyPart), ("1.2.3-a..b", .emptyPart), (" 1.2.3", form),
      ("1.2.3 ", form),
      ("1.2.3-é", .badForm(expected: "letters, digits and hyphens in a pre-release")),
      ("1.2.3-a_b", .badForm(expected: "letters, digits and hyphens in a pre-release")),
      ("1.2.3-" + String(repeating: "9", count: 123), .tooLong(limit: 128)), ("1.2.3\n", form),
      ("1.2.3/..", form),
    ] as [(String, TextFault)]
  )
  func `any other text is refused with its rule`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.version, text, fault))) { try Version(text) }
  }
}
