package import Digests
package import Manifests

/// What garbage collection may free, and how much of it.
package struct CollectionOptions: Hashable, Sendable {
  /// How many of the highest versions of each model stay, whatever else does.
  package var newestCount = 2
  /// The manifests that the repositories of models have withdrawn: their versions stay, and count as no good ones.
  package var withdrawn: [ModelName: Set<SHA256Digest>] = [:]
  /// The models of which nobody knows what is withdrawn: all their versions stay.
  package var unknownWithdrawals: Set<ModelName> = []
  /// Whether candidates go that no process works on.
  package var takesCandidates = false
  /// The bytes that the store may take; nothing more is freed once it takes less.
  package var budget: Int?
  /// Whether nothing is touched, and only said what would be.
  package var isDryRun = false

  package init() {}

  /// A budget is first met with what is only begun.
  var freesCandidates: Bool { takesCandidates || budget != nil }
}

/// Something that garbage collection looked at, and what became of it.
package struct CollectedItem: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable { case candidate, trash, version }

  package let model: ModelName
  package let kind: Kind
  /// The name of its folder.
  package let name: String
  /// The bytes that it takes on disk.
  package let bytes: Int
  /// Why it stays; nil if it is gone, or would be.
  package internal(set) var keptFor: KeepReason?
}

extension Store {
  /// Frees what no rule keeps, in all of these models: candidates if asked, then trash, then versions, oldest first.
  ///
  /// What is to go is planned first, and each part of the plan is looked at again under the state lock before it goes.
  /// Never waits for a download.
  /// - Parameters:
  ///   - models: Which models; they must be there.
  ///   - options: What may be freed, and how much of it.
  ///   - now: The time at which what a person removed counts as gone.
  ///   - failed: Told of each model of which something could not be looked at or removed; it then stays. Throws to end.
  /// - Returns: Every item with what became of it, in that order.
  /// - Throws: ``StoreError`` or `SystemError`.
  package func collect(
    _ models: [ModelName],
    _ options: CollectionOptions,
    now: Timestamp,
    failed: (ModelName, any Error) throws -> Void = { throw $1 }
  ) throws -> [CollectedItem] {
    var items: [CollectedItem] = []
    for name in models {
      do {
        items += try collected(name, isDryRun: options.isDryRun) { model in
          try model.collectionPlan(options, now: now)
        }
      } catch {
        try failed(name, error)
      }
    }
    let order: [CollectedItem.Kind] = [.candidate, .trash, .version]
    items = order.flatMap { kind in items.filter { $0.kind == kind } }
    var total = items.reduce(0) { $0 + $1.bytes }
    for index in items.indices where items[index].keptFor == nil {
      if let budget = options.budget, total <= budget {
        items[index].keptFor = .withinBudget
      } else if !options.isDryRun {
        let item = items[index]
        do {
          items[index].keptFor = try collected(item.model, isDryRun: false) { model in
            try model.collect(item, options)
          }
        } catch {
          items[index].keptFor = .undeletable
          try failed(item.model, error)
        }
      }
      if items[index].keptFor == nil { total -= items[index].bytes }
    }
    return items
  }

  private func collected<Value>(
    _ name: ModelName,
    isDryRun: Bool,
    _ work: (borrowing StoredModel) throws -> Value
  ) throws -> Value {
    let model = isDryRun ? try self.model(name) : try modelForChanging(name)
    return try work(model)
  }
}
