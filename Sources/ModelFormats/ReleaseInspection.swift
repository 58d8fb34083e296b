package import Manifests

/// What the files of a release say together: shards, bundles, weights beside a graph.
package struct ReleaseInspection: Equatable, Sendable {
  /// Something that is allowed in a file and seldom meant.
  package struct Warning: Equatable, Sendable {
    package let file: RelativePath
    package let fault: StructureFault
  }

  /// Why the release must be neither published nor activated.
  package private(set) var problems: [FormatProblem] = []
  /// What is seldom meant about files together; warnings about one file are in its report.
  package private(set) var warnings: [Warning] = []

  /// Checks files across each other.
  ///
  /// - Parameters:
  ///   - inspections: All files of the release, each already inspected by itself.
  ///   - open: Opens one of them again; called for the few whose content is needed.
  /// - Throws: What opening or reading throws.
  package init<Source: ByteSource>(
    of inspections: [FileInspection],
    open: @escaping (RelativePath) throws(Source.Failure) -> Source
  ) throws(Source.Failure) {
    let last = LastError<Source.Failure>()
    let files = ReleaseFiles(inspections) { path in
      do throws(Source.Failure) {
        return FormatReader(of: try open(path), keepingErrorsIn: last)
      } catch {
        last.error = error
        return nil
      }
    }
    for inspector in Self.inspectors { inspector.inspect(files, into: &self) }
    if let error = last.error { throw error }
  }

  private init() {}

  mutating func refuse(_ file: RelativePath, _ fault: FormatFault) {
    problems.append(FormatProblem(file: file, fault: fault, firstBytes: []))
  }

  mutating func warn(_ file: RelativePath, _ fault: StructureFault) {
    warnings.append(Warning(file: file, fault: fault))
  }

  /// Returns the same where whatever is seldom meant is a problem.
  package func strict() -> ReleaseInspection {
    var inspection = self
    inspection.warnings = []
    for warning in warnings { inspection.refuse(warning.file, .structure(warning.fault)) }
    return inspection
  }

  /// Runs `body`, and refuses `file` for the fault that it throws.
  mutating func refusing(
    _ file: RelativePath,
    _ body: (inout ReleaseInspection) throws(FormatStop) -> Void
  ) {
    do throws(FormatStop) {
      try body(&self)
    } catch {
      // What could not be read is thrown at the end, by whoever opened it.
      if case .fault(let fault) = error { refuse(file, fault) }
    }
  }
}
