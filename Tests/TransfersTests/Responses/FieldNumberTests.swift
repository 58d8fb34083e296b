import TestSupport
import Testing
import Transfers

@Suite struct FieldNumberTests {
  @Test(
    .rows("H7"),
    arguments: [
      "0", "7", "2147483647", "2147483648", "4294967296", "9007199254740993", "9223372036854775807",
    ]
  )
  func `digits are read in full`(text: String) {
    #expect(fieldNumber(Array(text.utf8)) == Int(text))
  }

  @Test(arguments: [
    "", " ", "+5", "-5", "5, 5", "5 ", " 5", "0x10", "1e3", "5.0", "٥", "9223372036854775808",
    "99999999999999999999999999",
  ])
  func `what is not digits that fit is no number`(text: String) {
    #expect(fieldNumber(Array(text.utf8)) == nil)
  }

  @Test func `leading zeros change nothing`() {
    #expect(fieldNumber(Array("0007".utf8)) == 7)
  }
}
