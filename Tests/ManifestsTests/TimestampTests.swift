import Manifests
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01Z", 1), ("1969-12-31T23:59:59Z", -1),
      ("2000-02-29T12:00:00Z", 951_825_600), ("2026-11-30T00:00:00Z", 1_795_996_800),
      ("2038-01-19T03:14:08Z", 2_147_483_648), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("0000-01-01T00:00:00Z", -62_167_219_200), ("1900-03-01T00:00:00Z", -2_203_891_200),
    ] as [(String, Int64)]
  )
  func `text and seconds are two forms of one time`(text: String, seconds: Int64) throws {
    #expect(try Timestamp(text).seconds == seconds)
    #expect(Timestamp(seconds: seconds)?.text == text)
  }

  @Test func `every day of four centuries comes back`() throws {
    for day in stride(from: Int64(-25_567), to: 120_529, by: 1) {
      let time = try #require(Timestamp(seconds: day * 86_400 + 86_399))
      #expect(try Timestamp(time.text) == time)
    }
  }

  @Test(arguments: [
    "2023-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-06-30T23:59:60Z",
  ])
  func `a day or a second that does not exist is refused`(text: String) {
    #expect(throws: ManifestError.text(TextProblem(.timestamp, text, .noSuchTime))) {
      try Timestamp(text)
    }
  }

  @Test(arguments: [
    "", "2026-11-30", "2026-11-30T00:00:00", "2026-11-30T00:00:00z", "2026-11-30t00:00:00Z",
    "2026-11-30 00:00:00Z", "2026-11-30T00:00:00.0Z", "2026-11-30T00:00:00+00:00",
    "2026-11-3T00:00:00Z0", "+026-11-30T00:00:00Z", "2026-11-30T00:00:00Z ", "2026-1 -30T00:00:00Z",
    "20262-11-30T00:00:0Z",
  ])
  func `another form is refused`(text: String) {
    let fault = TextFault.badForm(expected: "YYYY-MM-DDTHH:MM:SSZ")
    #expect(throws: ManifestError.text(TextProblem(.timestamp, text, fault))) {
      try Timestamp(text)
    }
  }

  @Test func `seconds outside of four-digit years are refused`() {
    #expect(Timestamp(seconds: 253_402_300_800) == nil)
    #expect(Timestamp(seconds: -62_167_219_201) == nil)
    #expect(Timestamp(seconds: .max) == nil)
    #expect(Timestamp(seconds: .min) == nil)
  }

  @Test func `times are ordered`() throws {
    #expect(try Timestamp("2026-11-30T00:00:00Z") < Timestamp("2026-11-30T00:00:01Z"))
  }
}

struct LicenseTests {
  @Test(arguments: [
    "MIT", "LicenseRef-LFM-1.0", "(MIT OR Apache-2.0) AND GPL-2.0+", "DocumentRef-a:LicenseRef-b",
  ])
  func `an expression is accepted`(text: String) throws {
    #expect(try License(text).text == text)
  }

  @Test(
    arguments: [
      ("", .empty), (" MIT", .startsWith(0x20)), ("MIT ", .endsWith(0x20)),
      ("MIT  OR X", .badByte(0x20, offset: 4)), ("MIT\n", .badByte(0x0A, offset: 3)),
      ("M\u{1B}", .badByte(0x1B, offset: 1)), ("a/b", .badByte(0x2F, offset: 1)),
      (String(repeating: "a", count: 257), .tooLong(limit: 256)),
    ] as [(String, TextFault)]
  )
  func `anything else is refused`(text: String, fault: TextFault) {
    #expect(throws: ManifestError.text(TextProblem(.license, text, fault))) { try License(text) }
  }
}
