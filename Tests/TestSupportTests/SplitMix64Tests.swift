import TestSupport
import Testing

struct SplitMix64Tests {
  // The first outputs of the reference implementation for this seed.
  @Test func `the numbers are those of the reference implementation`() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ]
    )
  }

  @Test func `a fixed clock moves only when told`() {
    let clock = FixedClock(seconds: 100)
    #expect(clock.seconds == 100)
    clock.advance(by: .milliseconds(1500))
    #expect(clock.nanoseconds == 101_500_000_000)
    clock.advance(by: .seconds(-2))
    #expect(clock.seconds == 99)
  }
}
