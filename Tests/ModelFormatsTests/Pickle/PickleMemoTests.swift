import Manifests
import ModelFormats
import Testing

/// Pickles that remember more than is kept of them.
struct PickleMemoTests {
  /// More texts than are kept.
  private static let count = 70_000

  private func text(_ text: String) -> [UInt8] {
    [0x8C, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  /// Texts that are remembered under the numbers from 0 on, by protocol 4.
  private var many: [UInt8] {
    [0x80, 4, 0x28] + (0..<Self.count).flatMap { text(String($0, radix: 36)) + [0x94] }
  }

  /// Gets what was remembered under a number.
  private func get(_ number: Int) -> [UInt8] {
    [UInt8(ascii: "j")] + Files.number(UInt64(number), bytes: 4)
  }

  @Test func `a pickle of many texts may be agreed to, in old protocols too`() throws {
    #expect(try inspect("m.pkl", many + [0x6C, 0x2E]).problemCode == nil)
    let old = (0..<Self.count).flatMap { number in
      text("a") + [UInt8(ascii: "r")] + Files.number(UInt64(number), bytes: 4)
    }
    #expect(try inspect("m.pkl", [0x80, 2, 0x28] + old + [0x6C, 0x2E]).problemCode == nil)
  }

  @Test func `the names that tensors need are known behind many others`() throws {
    let names = text("collections") + [0x94] + text("OrderedDict") + [0x94]
    let call = get(Self.count) + get(Self.count + 1) + [0x93, 0x2E]
    #expect(try inspect("m.pkl", many + names + call).problemCode == nil)
  }

  @Test func `a global by a name that was not kept is refused`() throws {
    let names = text("os") + [0x94] + text("system") + [0x94]
    let call = get(Self.count) + get(Self.count + 1) + [0x93, 0x2E]
    #expect(try inspect("m.pkl", many + names + call).problemCode == "unsafeCode")
  }

  @Test func `a number that is taken again has its new value`() throws {
    let start = [0x80, 2] + text("collections") + [0x71, 0] + text("OrderedDict") + [0x71, 1]
    let call: [UInt8] = [0x68, 0, 0x68, 1, 0x93, 0x2E]
    #expect(try inspect("m.pkl", start + call).problemCode == nil)
    let replaced = start + text("os") + [0x71, 0] + text("system") + [0x71, 1]
    #expect(try inspect("m.pkl", replaced + call).problemCode == "unsafeCode")
    let forgotten = start + [0x4E, 0x71, 0]
    #expect(try inspect("m.pkl", forgotten + call).problemCode == "unsafeCode")
  }

  @Test func `values that count by themselves go on behind all numbers that are taken`() throws {
    let start = [0x80, 4] + text("x") + [0x71, 0] + text("y") + [0x71, 2]
    // The next number is the count of those that are taken, which is 2, and takes it again.
    let names = text("collections") + [0x94] + text("OrderedDict") + [0x71, 3]
    #expect(
      try inspect("m.pkl", start + names + [0x68, 2, 0x68, 3, 0x93, 0x2E]).problemCode == nil
    )
  }

  @Test func `numbers without an order are followed only so far`() throws {
    let sparse = (1...70_000).flatMap { number in
      text("a") + [UInt8(ascii: "r")] + Files.number(UInt64(2 * number), bytes: 4)
    }
    #expect(try inspect("m.pkl", [0x80, 2] + sparse + [0x2E]).problemCode == "unsafeCode")
  }
}
