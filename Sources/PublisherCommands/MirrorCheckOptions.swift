import CommandErrors
import CommandLineKit
import Publishing
import Transfers
import Verification

/// The options of `mirror check` that say what is read, and how.
struct MirrorCheckOptions: Sendable {
  private static let defaultSamples = 4

  static let options = [
    OptionHelp("--full", "reads every byte of every file"),
    OptionHelp(
      "--sample",
      value: "N",
      "reads N chunks of each file, \(defaultSamples) unless given: the first, the last, others by chance"
    ),
    OptionHelp("--seed", value: "N", "chooses the chunks of a run that printed this number again"),
    OptionHelp("--jobs", value: "N", "asks N mirrors at once, 6 unless given"),
    OptionHelp(
      "--limit-rate",
      value: "BYTES",
      "receives at most so many bytes a second from all mirrors together, as in 2MB"
    ),
    OptionHelp(
      "--timeout",
      value: "TIME",
      "waits at most so long for a connection, an answer, or more bytes; 10s or 15s unless given"
    ),
    OptionHelp("--ca-bundle", value: "FILE", "trusts these certificate authorities for https"),
  ]

  private let isFull: Bool
  private let samples: Int?
  private let seed: Int?
  private let jobs: Int?
  private let limitRate: Int?
  private let timeout: Duration?
  private let authorities: String?

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isFull = try arguments.flag("--full")
    samples = try arguments.option("--sample") { try parseCount($0, in: 1...1_000_000) }
    seed = try arguments.option("--seed") { try parseCount($0) }
    jobs = try arguments.option("--jobs") { try parseCount($0, in: 1...64) }
    limitRate = try arguments.option("--limit-rate") { try parsePositive($0, parseByteSize) }
    timeout = try arguments.option("--timeout") { try parsePositive($0, parseDuration) }
    authorities = try arguments.option("--ca-bundle") { $0 }
    guard !isFull || (samples == nil && seed == nil) else {
      throw UsageError("--full reads everything: --sample and --seed say nothing beside it")
    }
  }

  /// What is read of each file; `seed` is a number by chance for where none is given.
  func depth(_ seed: Int) -> CheckDepth {
    isFull
      ? .everything
      : .samples(SampleChoice(count: samples ?? Self.defaultSamples, seed: UInt64(seed)))
  }

  /// The number that chooses chunks; nil where all are read.
  func seed(_ random: () -> Int) -> Int? { isFull ? nil : seed ?? random() }

  /// The flags over the settings of the environment over the defaults; nothing that tells mirrors who asks.
  func transfer(_ context: CommandContext) throws -> FetchOptions {
    var options = FetchOptions()
    options.userAgent = "\(context.tool)/\(context.version)"
    options.proxies = FetchOptions.Proxies(environment: context.environment)
    options.jobs = jobs ?? options.jobs
    let settings = context.settings
    options.limitRate = try settings.value("limit-rate", flag: limitRate) {
      try parsePositive($0, parseByteSize)
    }
    try options.takeAuthorities(try settings.value("ca-bundle", flag: authorities) { $0 })
    if let timeout {
      options.clocks.connect = timeout
      options.clocks.firstByte = timeout
      options.clocks.idle = timeout
    }
    return options
  }
}
