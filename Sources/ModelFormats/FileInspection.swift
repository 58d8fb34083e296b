package import Manifests

/// What the content of a file says about it, as the manifest will repeat.
package struct FileInspection: Equatable, Sendable {
  package let path: RelativePath
  /// The size in bytes; 0 for a declared file, which nobody has seen.
  package let size: Int
  package let role: FileRole
  package let kind: ModelFormat
  package let format: FormatFacts
  /// Why the file must not be published or activated; nil if nothing was found.
  package let problem: FormatProblem?
  /// All that the parser of the format found; of a format without one, only its name.
  package let report: FormatReport

  /// Looks at one file: first for what is no model at all, then for its format, then whether name
  /// and content agree, then at the structure of its header.
  ///
  /// `declared` is the format that the publisher states for this file, `consent` what is not refused
  /// for it. Reads at most 1 MiB at once, and of a model little more than its header. Throws only what
  /// `source` throws.
  package init<Source: ByteSource>(
    _ path: RelativePath,
    _ source: Source,
    declared: ModelFormat? = nil,
    consent: InspectionConsent = InspectionConsent()
  ) throws(Source.Failure) {
    let start = try source.read(at: 0, count: ContentSniffer.window)
    var fault = ContentSniffer.fault(of: path, size: source.size, start: start)
    var report = FormatReport(.other)
    if fault == nil {
      let found = try FormatDetector.detect(path, source)
      fault = Self.mismatch(path, found, declared)
      report = FormatReport(Self.format(of: path, found))
      if fault == nil, let inspector = Self.inspector(of: path, found) {
        report = try Self.report(of: source, report.format, by: inspector)
      }
      if report.format == .aimodelc { report.note(ModelBundle(around: path)) }
      if fault == nil, start.allSatisfy({ $0 == 0 }) {
        report.warn(
          .zeroFilled,
          at: 0,
          "the start of the file",
          expected: "data",
          found: "\(start.count) zero bytes"
        )
      }
    }
    fault = fault ?? report.fault ?? report.refusal(under: consent)
    self.init(path, size: source.size, report, fault: fault, start: start)
  }

  private init(
    _ path: RelativePath,
    size: Int,
    _ report: FormatReport,
    fault: FormatFault?,
    start: [UInt8]
  ) {
    self.path = path
    self.size = size
    self.report = report
    kind = report.format
    format = report.facts
    role = FileRole(guessedFrom: path, report.format, report.facts)
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
    size = 0
    report = FormatReport(kind)
    role = FileRole(guessedFrom: path, kind, self.format)
    problem = nil
  }

  private static func report<Source: ByteSource>(
    of source: Source,
    _ format: ModelFormat,
    by inspector: any FormatInspector.Type
  ) throws(Source.Failure) -> FormatReport {
    var report = FormatReport(format)
    let result = try FormatReader.read(source) { reader throws(FormatStop) in
      try inspector.inspect(&reader, into: &report)
    }
    if case .fault(let fault) = result { report.fault = fault }
    return report
  }

  /// The format of a file; of one without a format of its own, that of the bundle around it.
  private static func format(of path: RelativePath, _ found: ModelFormat) -> ModelFormat {
    found == .other ? ModelBundle(around: path)?.kind.format ?? .other : found
  }

  /// The files beside it in which bytes of its tensors lie.
  package var externalFiles: [RelativePath] {
    report.links.compactMap { link in
      guard case .external(let location, _) = link else { return nil }
      return try? RelativePath((path.components.dropLast() + [location]).joined(separator: "/"))
    }
  }

  /// The first file of the set of shards that this file is one of, which is the one that a runtime is given; nil for a
  /// model in one file.
  package var entryPoint: RelativePath? {
    guard report.shard != nil, let name = ShardName(path) else { return nil }
    return try? RelativePath(name.path(of: 1))
  }

  private static func inspector(
    of path: RelativePath,
    _ found: ModelFormat
  ) -> (any FormatInspector.Type)? {
    found == .other ? SideFile.inspector(for: path) : found.inspector
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
