import Trust

/// What the machines of the workflow have in common: they judge answers, and stay as they were when they refuse one.
protocol MetadataMachine {
  associatedtype Step
  mutating func received(_ response: MetadataResponse) throws(MetadataRefusal) -> Step
}

extension MetadataRefresh: MetadataMachine {}
extension TargetSearch: MetadataMachine {}
