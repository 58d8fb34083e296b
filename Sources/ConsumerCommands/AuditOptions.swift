import Auditing
import CommandLineKit
import Manifests

/// The options of `audit` that say what is read, and how.
struct AuditOptions: Sendable {
  static let options = [
    OptionHelp("--full", "reads every byte, which it does by itself"),
    OptionHelp("--quick", "reads no bytes: names, sizes, modes and stamps alone"),
    OptionHelp(
      "--sample",
      value: "AMOUNT",
      "reads this share of the chunks of each file, such as 2%, or so many bytes of all, such as 10GB"
    ),
    OptionHelp("--seed", value: "N", "chooses the chunks of a run that printed this number again"),
    OptionHelp("--full-hash", "checks the digest of whole files too, after that of the chunks"),
    OptionHelp("--direct", "reads past the page cache, also of files that a program has mapped"),
    OptionHelp("--max-rate", value: "BYTES", "reads at most so many bytes a second, as in 50MB"),
    OptionHelp(
      "--deadline",
      value: "TIME",
      "begins nothing more after this time, as in 30m, and says where to go on"
    ),
    OptionHelp("--resume", value: "CURSOR", "goes on where an earlier run has ended"),
    OptionHelp(
      "--ignore",
      value: "GLOB",
      occurrence: .repeatable,
      "leaves out files that are too much and match; never one that is signed"
    ),
    OptionHelp("--ignore-until", value: "TIME", "ends the rules of --ignore at this time"),
  ]

  let mode: AuditMode
  let isDirect: Bool
  let checksWholeFiles: Bool
  let maxRate: Int?
  let deadline: Duration?
  let resume: AuditCursor?
  let ignore: [AuditRequest.Ignore]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    mode = try Self.mode(&arguments)
    checksWholeFiles = try arguments.flag("--full-hash")
    isDirect = try arguments.flag("--direct")
    maxRate = try arguments.option("--max-rate") { try parsePositive($0, parseByteSize) }
    deadline = try arguments.option("--deadline") { try parsePositive($0, parseDuration) }
    resume = try arguments.option("--resume") { text throws(UsageError) in
      guard let cursor = AuditCursor(text) else {
        throw UsageError("\(quoted(text)) is not a place at which an audit ended")
      }
      return cursor
    }
    let patterns = try arguments.options("--ignore") { PathGlob($0) }
    let until = try arguments.option("--ignore-until") { try Timestamp($0) }
    guard until == nil || !patterns.isEmpty else {
      throw UsageError("--ignore-until goes with --ignore only")
    }
    ignore = patterns.map { AuditRequest.Ignore($0, until: until) }
    guard mode != .quick || (!isDirect && !checksWholeFiles && maxRate == nil) else {
      throw UsageError(
        "--quick reads no bytes: --direct, --full-hash and --max-rate say nothing beside it"
      )
    }
  }

  private static func mode(_ arguments: inout ArgumentReader) throws(UsageError) -> AuditMode {
    let isFull = try arguments.flag("--full")
    let isQuick = try arguments.flag("--quick")
    let amount = try arguments.option("--sample") { try sampleAmount($0) }
    let seed = try arguments.option("--seed") { try parseCount($0) }
    guard [isFull, isQuick, amount != nil].count(where: { $0 }) <= 1 else {
      throw UsageError("only one of --full, --quick and --sample can be given")
    }
    guard let amount else {
      guard seed == nil else { throw UsageError("--seed goes with --sample only") }
      return isQuick ? .quick : .full
    }
    let chosen = seed ?? Int.random(in: 0...Int(Int32.max))
    return .sample(AuditSample(amount, seed: UInt64(chosen)))
  }

  /// Reads `2%`, `0.25%` or an amount of bytes.
  private static func sampleAmount(_ text: String) throws(UsageError) -> AuditSample.Amount {
    guard text.utf8.last == UInt8(ascii: "%") else {
      return .bytes(try parsePositive(text, parseByteSize))
    }
    let problem = UsageError(
      "\(quoted(text)) is no share",
      helps: ["write a number from 0.01% to 100%, with two places at most"]
    )
    let parts = text.dropLast().utf8.split(
      separator: UInt8(ascii: "."),
      omittingEmptySubsequences: false
    ).map { Array($0) }
    guard (1...2).contains(parts.count), parts.joined().allSatisfy(isDigit),
      (1...3).contains(parts[0].count)
    else { throw problem }
    let places = parts.count == 2 ? parts[1] : []
    guard places.count <= 2, parts.count == 1 || !places.isEmpty else { throw problem }
    let digits = parts[0] + places + [UInt8](repeating: UInt8(ascii: "0"), count: 2 - places.count)
    let points = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard (1...10_000).contains(points) else { throw problem }
    return .share(basisPoints: points)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
