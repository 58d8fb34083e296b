package import Manifests

/// What the content of a file says about it, as the manifest will repeat.
package struct FileInspection: Equatable, Sendable {
  package let path: RelativePath
  package let role: FileRole
  package let format: FormatFacts
  /// Why the file must not be published or activated; nil if nothing was found.
  package let problem: FormatProblem?

  /// Looks at one file: first for what is no model at all, then for its format, then whether name
  /// and content agree.
  ///
  /// `declared` is the format that the publisher states for this file. Reads at most 1 MiB at once,
  /// and little more than the header of the file. Throws only what `source` throws.
  package init<Source: ByteSource & ~Copyable>(
    _ path: RelativePath,
    _ source: borrowing Source,
    declared: ModelFormat? = nil
  ) throws(Source.Failure) {
    let start = try source.read(at: 0, count: ContentSniffer.window)
    var fault = ContentSniffer.fault(of: path, size: source.size, start: start)
    var detection = FormatDetector.Detection(.other)
    if fault == nil {
      detection = try FormatDetector.detect(path, source)
      fault = Self.mismatch(path, detection.format, declared) ?? detection.fault
    }
    self.path = path
    role = FileRole(guessedFrom: path, detection.format, detection.facts)
    let isInPackage = CoreMLPackage.folder(of: path) != nil
    format =
      isInPackage && detection.format == .other
      ? FormatFacts(name: ModelFormat.mlpackage.name) : detection.facts
    problem = fault.map { FormatProblem(file: path, fault: $0, firstBytes: start) }
  }

  private static func mismatch(
    _ path: RelativePath,
    _ found: ModelFormat,
    _ declared: ModelFormat?
  ) -> FormatFault? {
    let promised = ModelFormat.promised(by: path)
    guard promised.isEmpty || promised.contains(found) else {
      return .formatMismatch(expected: promised, found: found)
    }
    guard let declared, declared != found else { return nil }
    return .formatMismatch(expected: [declared], found: found)
  }
}
