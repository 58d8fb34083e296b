import CommandLineKit
import Testing

@Suite struct AmountTests {
  @Test(arguments: [
    ("0", 0), ("4096", 4096), ("500k", 500_000), ("500kB", 500_000), ("10MB", 10_000_000),
    ("1GiB", 1 << 30), ("1gib", 1 << 30), ("2Ki", 2048), ("1.5GiB", 3 << 29), ("7B", 7),
    ("0.1KiB", 102), ("1.999999999k", 1999), ("8388607TiB", 8_388_607 << 40),
  ])
  func `a byte size is read exactly`(text: String, expected: Int) throws {
    #expect(try parseByteSize(text) == expected)
  }

  @Test(arguments: [
    "", " 1", "1 k", "-1", "+1", "k", "1.", ".5k", "1e3", "1kk", "1Mb/s", "0x10", "1k\u{301}",
    "１", "1.0000000001k", "12345678901234567890",
  ])
  func `another spelling of a byte size is refused`(text: String) {
    #expect(
      throws: UsageError(
        "\(quoted(text)) is not a byte size",
        helps: ["write a number and a unit, such as 500k, 10MB or 1.5GiB"]
      )
    ) { try parseByteSize(text) }
  }

  @Test(arguments: ["8388608TiB", "999999999999999999k"])
  func `a byte size that does not fit is refused`(text: String) {
    #expect(throws: UsageError("\(text) is too large")) { try parseByteSize(text) }
  }

  @Test(arguments: [
    ("30", 30_000), ("30s", 30_000), ("250ms", 250), ("5m", 300_000), ("1h30m", 5_400_000),
    ("1.5d", 129_600_000), ("2w", 1_209_600_000), ("1d2h3m4s5ms", 93_784_005),
  ])
  func `a time span is read`(text: String, milliseconds: Int) throws {
    #expect(try parseDuration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", "1m1h", "1m1m", "1h30", "-1s", "1 s", "1S", "1y", "1s,"])
  func `another spelling of a time span is refused`(text: String) {
    #expect(
      throws: UsageError(
        "\(quoted(text)) is not a time span",
        helps: ["write a number and a unit, such as 30s, 5m, 1h30m or 7d"]
      )
    ) { try parseDuration(text) }
  }

  @Test func `a time span that does not fit is refused`() {
    #expect(throws: UsageError("999999999999999999w is too long")) {
      try parseDuration("999999999999999999w")
    }
  }

  @Test(arguments: ["", "+5", "-1", "007", "1.0", " 1", "٣"])
  func `a count has one spelling`(text: String) {
    #expect(throws: UsageError("\(quoted(text)) is not a whole number")) { try parseCount(text) }
  }

  @Test func `a count stays within its range`() throws {
    #expect(try parseCount("8", in: 1...64) == 8)
    #expect(throws: UsageError("0 is out of range", helps: ["give a number from 1 to 64"])) {
      try parseCount("0", in: 1...64)
    }
    #expect(throws: UsageError("0 is out of range", helps: ["give a number at least 1"])) {
      try parseCount("0", in: 1...(.max))
    }
    #expect(throws: UsageError.self) { try parseCount("99999999999999999999") }
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1023, "1,023 bytes"), (1024, "1,024 bytes (1.0 KiB)"),
    (1_563_668_704, "1,563,668,704 bytes (1.5 GiB)"), (-2048, "-2,048 bytes (-2.0 KiB)"),
    (1_048_575, "1,048,575 bytes (1.0 MiB)"),
    (Int.max, "9,223,372,036,854,775,807 bytes (8.0 EiB)"),
    (Int.min, "-9,223,372,036,854,775,808 bytes (-8.0 EiB)"),
  ])
  func `bytes are shown exactly and rounded`(count: Int, expected: String) {
    #expect(exactBytesText(count) == expected)
  }

  @Test(arguments: [
    (0.0, "0 s"), (59.9, "59 s"), (65, "1 min 05 s"), (7380, "2 h 03 min"),
    (273_600, "3 d 04 h"), (-5, "0 s"),
  ])
  func `a time span is shown in two units`(seconds: Double, expected: String) {
    #expect(durationText(.seconds(seconds)) == expected)
  }
}
