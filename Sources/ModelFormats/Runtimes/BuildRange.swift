/// The builds of a runtime that know a name: from the first on, to before the one that dropped it.
struct BuildRange: Hashable {
  let first: Int
  /// The first build without the name; nil if every later one has it.
  let below: Int?

  init(_ first: Int) { (self.first, below) = (first, nil) }
  init(_ first: Int, below: Int) { (self.first, self.below) = (first, below) }
}
