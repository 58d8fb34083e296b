import StrictJSON
import Testing

struct RoundTripTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `what is written in any form reads back equal`(seed: UInt64) throws {
    var generator = SeededGenerator(state: seed)
    let value = generator.value(depth: 5)
    let canonical = JSONWriter.canonical(value)
    #expect(try JSONReader.parse(canonical) == value)
    #expect(try JSONReader.parse(JSONWriter.pretty(value)) == value)
    let compact = try JSONReader.parse(JSONWriter.compact(value))
    #expect(compact == value)
    #expect(JSONWriter.canonical(compact) == canonical)
  }

  @Test func `the canonical form of a canonical form is itself`() throws {
    let canonical = JSONWriter.canonical(try parse(sample))
    #expect(JSONWriter.canonical(try JSONReader.parse(canonical)) == canonical)
  }

  @Test func `every change of one byte is refused or gives a document that can be written`() throws
  {
    let bytes = Array(sample.utf8)
    for position in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[position] = byte
        let value: JSONValue
        do throws(JSONSyntaxError) {
          value = try JSONReader.parse(changed)
        } catch {
          #expect((0...bytes.count).contains(error.offset))
          continue
        }
        #expect(try JSONReader.parse(JSONWriter.canonical(value)) == value)
      }
    }
  }

  @Test func `random bytes never crash the reader`() {
    var generator = SeededGenerator(state: 1)
    let alphabet = Array(#"{}[]:,"\u0019ad8efntr- "#.utf8) + [0, 0x80, 0xC3, 0xA9, 0xFF]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      _ = try? JSONReader.parse(bytes)
    }
  }
}
