import CommandErrors
import CommandLineKit
import Transfers

/// The options that say how bytes are fetched.
struct TransferFlags {
  static let options = [
    OptionHelp(
      "--jobs",
      value: "N",
      "opens at most N connections, 6 by default; a mirror gets 4 of them at most"
    ),
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
    OptionHelp(
      "--netrc",
      value: "FILE",
      "sends the user names and passwords of a netrc file to their hosts"
    ),
    OptionHelp(
      "--tokens",
      value: "FILE",
      "sends bearer tokens; each line has an origin, such as https://example.com, and its token"
    ),
    OptionHelp(
      "--token-env",
      value: "ORIGIN=VARIABLE",
      occurrence: .repeatable,
      "sends the bearer token of an environment variable to an origin"
    ),
    OptionHelp("--http2", "offers HTTP/2 over TLS: one connection to a mirror for all requests"),
  ]

  private let jobs: Int?
  private let limitRate: Int?
  private let authorities: String?
  private let giveUp: Duration?
  private let secrets: SecretFlags
  private let usesHTTP2: Bool

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    jobs = try arguments.option("--jobs") { try parseCount($0, in: 1...Int.max) }
    limitRate = try arguments.option("--limit-rate") { try parseRate($0) }
    authorities = try arguments.option("--ca-bundle") { $0 }
    giveUp = try arguments.option("--give-up") { try parseLimit($0) }
    secrets = try SecretFlags(&arguments)
    usesHTTP2 = try arguments.flag("--http2")
  }

  /// The flags over the settings of the environment over the defaults.
  func options(_ client: Client, _ context: CommandContext) throws -> FetchOptions {
    var options = client.fetchOptions()
    let settings = context.settings
    let jobs = try settings.value("jobs", flag: jobs) { try parseCount($0, in: 1...Int.max) }
    options.jobs = jobs ?? options.jobs
    options.limitRate = try settings.value("limit-rate", flag: limitRate, parseRate)
    try options.takeAuthorities(try settings.value("ca-bundle", flag: authorities) { $0 })
    if let giveUp = try settings.value("give-up", flag: giveUp, parseLimit) {
      options.clocks.giveUp(after: giveUp)
    }
    options.credentials = try secrets.credentials(context)
    options.usesHTTP2 = try settings.isOn("http2", flag: usesHTTP2)
    return options
  }
}

/// Reads the time after which to give up; none at all would let nothing begin.
private func parseLimit(_ text: String) throws(UsageError) -> Duration {
  let limit = try parseDuration(text)
  guard limit > .zero else {
    throw UsageError("\(text) is out of range", helps: ["give at least a second, such as 30s"])
  }
  return limit
}

/// Reads the count of bytes a second; none at all would never end.
private func parseRate(_ text: String) throws(UsageError) -> Int {
  let rate = try parseByteSize(text)
  guard rate > 0 else {
    throw UsageError("\(text) is out of range", helps: ["give at least 1 byte a second"])
  }
  return rate
}
