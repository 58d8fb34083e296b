import CommandLineKit
import Transfers

/// The options that say how bytes are fetched.
struct TransferFlags {
  static let options = [
    OptionHelp("--jobs", value: "N", "opens at most N connections; one is used today"),
    OptionHelp(
      "--limit-rate",
      value: "BYTES",
      "receives at most so many bytes a second, as in 2MB"
    ),
    OptionHelp("--ca-bundle", value: "FILE", "trusts these certificate authorities for https"),
    OptionHelp(
      "--give-up",
      value: "TIME",
      "ends when no mirror served a byte for so long; 2m by default"
    ),
  ]

  private let jobs: Int?
  private let limitRate: Int?
  private let authorities: String?
  private let giveUp: Duration?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    jobs = try arguments.option("--jobs") { try parseCount($0, in: 1...Int.max) }
    limitRate = try arguments.option("--limit-rate") { try parseRate($0) }
    authorities = try arguments.option("--ca-bundle") { $0 }
    giveUp = try arguments.option("--give-up") { try parseDuration($0) }
  }

  /// The flags over the settings of the environment over the defaults.
  func options(_ client: Client, _ context: CommandContext) throws -> FetchOptions {
    var options = client.fetchOptions()
    let settings = context.settings
    let jobs = try settings.value("jobs", flag: jobs) { try parseCount($0, in: 1...Int.max) }
    options.jobs = jobs ?? options.jobs
    options.limitRate = try settings.value("limit-rate", flag: limitRate, parseRate)
    options.authorities = try settings.value("ca-bundle", flag: authorities) { $0 }
    if let giveUp = try settings.value("give-up", flag: giveUp, parseDuration) {
      options.clocks.giveUp(after: giveUp)
    }
    return options
  }
}

/// Reads the count of bytes a second; none at all would never end.
private func parseRate(_ text: String) throws(UsageError) -> Int {
  let rate = try parseByteSize(text)
  guard rate > 0 else {
    throw UsageError("\(text) is out of range", helps: ["give at least 1 byte a second"])
  }
  return rate
}
