/// What a pickle has remembered under numbers, as far as it may name a global.
///
/// A pickle may remember millions of values. Of those that are no text nothing is kept, and of texts only so many; the
/// names that tensors need are kept longer. What was not kept is unknown, and a global of an unknown name is refused.
struct PickleMemo {
  private static let maximumTexts = 1 << 16
  /// The most numbers that are taken out of their order.
  private static let maximumSparse = 1 << 16
  /// The parts of the names that may be called.
  private static let words = Set(
    PickleScan.allowed.flatMap { $0.split(separator: " ").map(String.init) }
  )

  private var texts: [UInt64: String] = [:]
  /// All numbers below this one are taken, as writers count up.
  private var dense: UInt64 = 0
  /// The numbers above that are taken.
  private var sparse: Set<UInt64> = []

  /// The count of the numbers that are taken, which is the next number of those that count by themselves.
  var count: UInt64 { dense + UInt64(sparse.count) }

  /// The text under a number; nil for another value, or one that is unknown.
  subscript(number: UInt64) -> String? { texts[number] }

  /// Remembers a value, which is nil if it is no text; false if its number can't be kept track of.
  mutating func remember(_ text: String?, at number: UInt64) -> Bool {
    guard take(number) else { return false }
    texts[number] = nil
    guard let text else { return true }
    if texts.count < Self.maximumTexts {
      texts[number] = text
    } else if texts.count < 2 * Self.maximumTexts, let index = Self.words.firstIndex(of: text) {
      texts[number] = Self.words[index]
    }
    return true
  }

  private mutating func take(_ number: UInt64) -> Bool {
    guard number >= dense, !sparse.contains(number) else { return true }
    guard number == dense else {
      guard sparse.count < Self.maximumSparse else { return false }
      sparse.insert(number)
      return true
    }
    dense += 1
    while sparse.remove(dense) != nil { dense += 1 }
    return true
  }
}
