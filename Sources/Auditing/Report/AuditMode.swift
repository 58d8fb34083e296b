/// How much of the bytes an audit reads.
package enum AuditMode: Hashable, Sendable {
  /// Every byte.
  case full
  /// None: names, sizes, modes and stamps alone.
  case quick
  /// Some chunks, which follow from the seed and the manifest.
  case sample(AuditSample)
}

/// Which part of the bytes a sampled audit reads.
package struct AuditSample: Hashable, Sendable {
  package enum Amount: Hashable, Sendable {
    /// Hundredths of a per cent of the chunks of every file, at least one of each.
    case share(basisPoints: Int)
    /// About so many bytes of all versions together.
    case bytes(Int)
  }

  package let amount: Amount
  /// With the same seed the same chunks are read.
  package let seed: UInt64

  package init(_ amount: Amount, seed: UInt64) {
    self.amount = amount
    self.seed = seed
  }
}

extension AuditMode {
  /// The word that stands for the mode in reports.
  package var word: String {
    switch self {
    case .full: "full"
    case .quick: "quick"
    case .sample: "sample"
    }
  }
}

extension AuditSample.Amount {
  /// The amount as it is written on the command line: `2.5%` or a count of bytes.
  package var text: String {
    switch self {
    case .bytes(let count): return "\(count)"
    case .share(let basisPoints):
      let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
      guard rest > 0 else { return "\(whole)%" }
      let digits = rest < 10 ? "0\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : "\(rest)"
      return "\(whole).\(digits)%"
    }
  }
}
