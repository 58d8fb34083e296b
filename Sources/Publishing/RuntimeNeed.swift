package import Manifests

/// What a file of the release, or its publisher, demands of a runtime.
package struct RuntimeNeed: Equatable, Sendable {
  /// The file whose bytes need it; nil for what the publisher states.
  package let file: RelativePath?
  package let requirement: RuntimeRequirement

  package init(file: RelativePath?, requirement: RuntimeRequirement) {
    self.file = file
    self.requirement = requirement
  }
}
