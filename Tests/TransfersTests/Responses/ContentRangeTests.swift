import Testing
import Transfers

@Suite struct ContentRangeTests {
  @Test(arguments: [
    ("bytes 0-99/200", ContentRange.bytes(0..<100, total: 200)),
    ("BYTES 0-0/1", .bytes(0..<1, total: 1)),
    ("bytes 5-9/*", .bytes(5..<10, total: nil)),
    ("bytes */200", .unsatisfied(total: 200)),
    (
      "bytes 4294967296-9223372036854775805/9223372036854775807",
      .bytes(4_294_967_296..<9_223_372_036_854_775_806, total: .max)
    ),
  ])
  func `a range is read`(value: String, range: ContentRange) {
    #expect(ContentRange(Array(value.utf8)) == range)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-99", "bytes=0-99/200", "items 0-99/200", "bytes 99-0/200",
    "bytes 0-200/200", "bytes 0-99/+200", "bytes -99/200", "bytes 0-/200", "bytes */*",
    "bytes 0-99/200, bytes 5-9/200", "bytes  0-99/200", "bytes 0-9223372036854775807/*",
    "bytes 0-99999999999999999999/*", "bytes 0-1-2/5",
  ])
  func `anything else is no range`(value: String) {
    #expect(ContentRange(Array(value.utf8)) == nil)
  }
}
