/// What the bytes of one file need: any one of these runtimes is enough for it.
package struct FileNeeds: Hashable, Sendable {
  package let file: RelativePath
  package let anyOf: [RuntimeRequirement]

  /// Takes what a look at the file has given.
  package init(file: RelativePath, anyOf: [RuntimeRequirement]) {
    self.file = file
    self.anyOf = anyOf
  }
}
