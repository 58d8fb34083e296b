package import Manifests

/// What the content of a file says about it, as the manifest will repeat.
package struct FileInspection: Equatable, Sendable {
  package let path: RelativePath
  package let role: FileRole
  package let kind: ModelFormat
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
    kind = detection.format
    role = FileRole(guessedFrom: path, detection.format, detection.facts)
    let isInPackage = CoreMLPackage.folder(of: path) != nil
    format =
      isInPackage && detection.format == .other
      ? FormatFacts(name: ModelFormat.mlpackage.name) : detection.facts
    problem = fault.map { FormatProblem(file: path, fault: $0, firstBytes: start) }
  }

  /// Takes the name of a file for all that is known, where the publisher declares it without having it.
  ///
  /// `format` overrides what the name promises.
  package init(declared path: RelativePath, format: ModelFormat? = nil, architecture: String? = nil)
  {
    let promised = ModelFormat.promised(by: path)
    kind = format ?? (promised.count == 1 ? promised[0] : .other)
    self.format = FormatFacts(name: kind.name, architecture: architecture, basis: .declared)
    self.path = path
    role = FileRole(guessedFrom: path, kind, self.format)
    problem = nil
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
