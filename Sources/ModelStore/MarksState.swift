/// What stands under the name of the marks of a model.
package enum MarksState<Marks: Hashable & Sendable>: Hashable, Sendable {
  case good(Marks)
  /// There is something that cannot be read, which a power cut or a person may have left.
  case damaged

  package var marks: Marks? {
    guard case .good(let marks) = self else { return nil }
    return marks
  }
}
