import Manifests

/// Checks safetensors files: the header, and that the data of the tensors fills the rest without holes.
///
/// Stricter than the library, which keeps one of two tensors with one name.
enum SafetensorsInspector: FormatInspector {
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let header = try SafetensorsHeader(&reader)
    report.note("headerLength", header.length)
    var ledger = NameLedger()
    var extents = SafetensorsExtents()
    var types: Set<String> = []
    var elementCount: UInt64 = 0
    try header.walk(&reader, into: &report) { name, place, entry throws(FormatStop) in
      guard ledger.count < SafetensorsHeader.maximumTensors else {
        throw .structure(
          .countTooLarge,
          at: place,
          "the count of tensors",
          expected: "at most \(SafetensorsHeader.maximumTensors)",
          found: "more"
        )
      }
      ledger.add(name, at: place)
      extents.add(entry.begin, entry.end)
      types.insert(entry.type)
      elementCount = elementCount.addingReportingOverflow(entry.elementCount).partialValue
    }
    report.types = types
    report.note("tensorCount", ledger.count)
    report.note("parameterCount", elementCount)
    let repetition = try ledger.repetition { place throws(FormatStop) in
      try SafetensorsHeader.name(at: place, &reader)
    }
    if let repetition { throw SafetensorsHeader.repeated(repetition) }
    let isEmpty = ledger.count == 0
    ledger = NameLedger()
    try extents.check(from: header.dataStart, reader, into: &report)
    report.note("dataBytes", reader.size - header.dataStart)
    if isEmpty {
      report.warn(
        .missingKey,
        at: 8,
        "the header",
        expected: "at least one tensor",
        found: "none"
      )
    }
    if let requirement = SafetensorsType.requirement(for: types) { report.runtimes = [requirement] }
    if report.more["framework"] == .text("mlx") { report.noteMLX() }
  }
}
