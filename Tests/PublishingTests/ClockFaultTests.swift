import Manifests
import Publishing
import Testing

struct ClockFaultTests {
  private func check(_ now: String, released: String) throws {
    try ClockFault.check(Timestamp(now), released: Timestamp(released))
  }

  @Test(arguments: [
    ("2026-11-30T00:00:00Z", "2026-11-30T00:00:00Z"),
    ("2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z"),
    ("9999-12-31T23:59:59Z", "2026-11-30T00:00:00Z"),
    ("2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
  ])
  func `a clock that may be right is taken`(now: String, released: String) throws {
    try check(now, released: released)
  }

  @Test func `a clock that must be wrong is refused`() throws {
    let released = "2026-11-30T00:00:00Z"
    #expect(
      throws: ClockFault.beforeRelease(
        now: try Timestamp("2026-11-28T23:59:59Z"),
        released: try Timestamp(released)
      )
    ) {
      try check("2026-11-28T23:59:59Z", released: released)
    }
    #expect(
      throws: ClockFault.beforeProgram(
        now: try Timestamp("2025-12-31T23:59:59Z"),
        earliest: try Timestamp("2026-01-01T00:00:00Z")
      )
    ) {
      try check("2025-12-31T23:59:59Z", released: "2020-01-01T00:00:00Z")
    }
  }
}
