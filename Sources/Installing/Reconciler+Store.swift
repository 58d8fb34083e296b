package import Manifests
package import ModelStore

extension Reconciler {
  /// Does what ``reconcile(_:)`` does with a model of the store; leaves one alone that the store does not have yet.
  package func reconcile(
    _ name: ModelName,
    in store: borrowing Store
  ) async throws -> [ReconcileStep] {
    guard try store.modelNames().contains(name) else { return [] }
    return try await reconcile(try store.modelForChanging(name))
  }
}
