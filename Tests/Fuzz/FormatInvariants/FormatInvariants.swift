import Manifests
package import ModelFormats

/// Inspects bytes under each of the names, then as the only file of a release, and stops at what must not be.
package func checkInspections(of source: BytesInMemory, as names: [String]) {
  for name in names {
    guard let path = try? RelativePath(name) else { preconditionFailure("a plain name") }
    let inspection = FileInspection(path, source)
    check(inspection, count: source.bytes.count)
    let release = ReleaseInspection(of: [inspection]) { _ in source }
    precondition(release.problems.allSatisfy { !$0.text.isEmpty }, "a problem has no text")
  }
}

private func check(_ inspection: FileInspection, count: Int) {
  precondition(inspection.problem?.text.isEmpty != true, "a problem has no text")
  precondition(inspection.format.contradiction(by: inspection.format) == nil, "facts agree")
  let edges = inspection.report.edges.offsets
  precondition(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "edges ascend")
  precondition(edges.allSatisfy { $0 <= count }, "edges lie in the file")
}
