import Digests

/// Keeps the account of a fetch: bytes, faults, progress.
struct FetchLedger {
  private(set) var report = FetchReport()
  private let total: Int
  private(set) var verified = 0
  var pending = 0

  /// The number of each mirror, by its name as the requests give it.
  let mirrors: [String: Int]

  init(_ requests: [FetchRequest]) {
    total = requests.reduce(0) { $0 + $1.size }
    var mirrors: [String: Int] = [:]
    for source in requests.flatMap(\.sources) where mirrors[source.mirror] == nil {
      mirrors[source.mirror] = report.mirrors.count
      report.mirrors.append(FetchReport.Mirror(name: redact(source.mirror)))
    }
    self.mirrors = mirrors
  }

  var progress: FetchProgress {
    FetchProgress(verified: verified, pending: pending, total: total)
  }

  func name(of mirror: Int) -> String { report.mirrors[mirror].name }

  /// Notes right bytes of another file of this machine.
  mutating func reused(_ count: Int) {
    verified += count
    report.reusedBytes += count
  }

  /// Notes verified bytes of an earlier run.
  mutating func resumed(_ count: Int) {
    verified += count
    report.resumedBytes += count
  }

  /// Notes verified bytes of this run; `mirrors` are the sources' mirrors.
  mutating func verified(_ contributions: Contributions, mirrors: [Int]) {
    for (source, count) in contributions.bytes {
      guard let source else {
        resumed(count)
        continue
      }
      verified += count
      report.mirrors[mirrors[source]].goodBytes += count
    }
  }

  mutating func wasted(_ contributions: Contributions, mirrors: [Int]) {
    for (source, count) in contributions.bytes {
      if let source { report.mirrors[mirrors[source]].wastedBytes += count }
    }
  }

  mutating func failed(_ mirror: Int, _ fault: MirrorFault) {
    report.mirrors[mirror].faults[fault.kind, default: 0] += 1
    report.mirrors[mirror].lastFault = fault
  }

  mutating func readBack(_ chunks: ReadBack, of name: String) { report.readBack[name] = chunks }

  mutating func noteAgreement() { report.mirrorsAgreeOnWrongBytes = true }
}
