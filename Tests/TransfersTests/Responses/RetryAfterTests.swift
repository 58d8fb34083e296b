import Testing
import Transfers

@Suite struct RetryAfterTests {
  /// The date of RFC 9110: Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = 784_111_777

  private func pause(_ value: String) -> Duration? {
    RetryAfter.pause(
      in: ResponseHead(status: 503, fields: ["Retry-After": value]),
      wallClock: Self.now
    )
  }

  @Test(arguments: [("0", 0), ("120", 120), ("00120", 120)])
  func `seconds are read`(value: String, seconds: Int) {
    #expect(pause(value) == .seconds(seconds))
  }

  @Test func `a huge number is as good as never`() {
    #expect(pause("99999999999999999999999999") == .seconds(366 * 24 * 3600))
    #expect(pause("9223372036854775807") == .seconds(366 * 24 * 3600))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
  ])
  func `a date is a pause from now, none if it is past`(value: String, seconds: Int) {
    #expect(pause(value) == .seconds(seconds))
  }

  @Test func `a date counts from the server's own clock`() {
    let head = ResponseHead(
      status: 429,
      fields: [
        "Date": "Mon, 07 Nov 1994 08:00:00 GMT", "Retry-After": "Mon, 07 Nov 1994 08:00:05 GMT",
      ]
    )
    #expect(RetryAfter.pause(in: head, wallClock: Self.now) == .seconds(5))
  }

  @Test(arguments: ["", "soon", "-5", "+5", "5 s", "5, 5", "1.5"])
  func `garbage asks for nothing`(value: String) {
    #expect(pause(value) == nil)
  }
}
