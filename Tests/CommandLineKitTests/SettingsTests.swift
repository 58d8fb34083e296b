import CommandLineKit
import Testing

@Suite struct SettingsTests {
  private let settings = Settings(
    environment: ["SEALIFT_LIMIT_RATE": "2k", "SEALIFT_JOBS": "", "SEALIFT_QUIET": "maybe"],
    configuration: ["limitRate": "1k", "jobs": "3", "retries": "x"]
  )

  @Test func `a flag beats the environment, which beats the configuration`() throws {
    #expect(try settings.value("limit-rate", flag: 5, parseByteSize) == 5)
    #expect(try settings.value("limit-rate", flag: nil, parseByteSize) == 2000)
    #expect(try settings.value("jobs", flag: nil) { try parseCount($0) } == 3)
    #expect(try settings.value("other", flag: nil) { try parseCount($0) } == nil)
  }

  @Test func `an error names where the text came from`() {
    #expect(throws: UsageError("SEALIFT_QUIET: \"maybe\" is neither yes nor no")) {
      try settings.isOn("quiet", flag: false)
    }
    #expect(throws: UsageError("configuration member retries: \"x\" is not a whole number")) {
      try settings.value("retries", flag: nil) { try parseCount($0) }
    }
  }
}
