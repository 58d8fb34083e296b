import Manifests

/// Checks the description of an OpenVINO model; its weights lie in the file of the same name that ends in `.bin`.
enum OpenVINOInspector: FormatInspector {
  private static let versions = 10...11

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    var walk = OpenVINOWalk()
    try walk.run(&reader)
    guard let version = walk.version else {
      throw .structure(
        .missingKey,
        at: 0,
        "the root element",
        expected: "net with a version",
        found: "none"
      )
    }
    report.version = version
    guard version >= versions.lowerBound else {
      throw .structure(
        .unsupportedVersion,
        at: 0,
        "the version",
        expected: "10 or 11",
        found: "\(version)"
      )
    }
    if version > versions.upperBound {
      report.leaveUnverified(
        .newerVersion,
        at: 0,
        "the version",
        expected: "10 or 11",
        found: "\(version)"
      )
    }
    report.types = walk.types
    report.note("constants", walk.constantCount)
    if walk.constantCount > 0 { report.links.append(.sibling(fileExtension: "bin", end: walk.end)) }
    note(producer: walk.producer, into: &report)
  }

  /// Takes the release that wrote the file for the oldest that surely reads it.
  private static func note(producer: String?, into report: inout FormatReport) {
    guard let producer, let text = plainText(Array(producer.utf8)) else {
      report.unknownToRuntimes.append("OpenVINO IR without the version that wrote it")
      return
    }
    report.note("producer", text: text)
    let numbers = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 2).prefix(2)
    let minimum = numbers.map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: ".")
    do throws(ManifestError) {
      let requirement = try RuntimeRequirement(
        name: RuntimeName(known: "openvino"),
        scheme: .dotted,
        minimum: numbers.count == 2 ? minimum : "",
        because: ["written by OpenVINO \(text)"]
      )
      report.runtimes = [requirement]
    } catch {
      report.unknownToRuntimes.append("OpenVINO IR written by \(text)")
    }
  }
}

/// Reads the elements of a model description.
private struct OpenVINOWalk {
  private(set) var version: Int?
  private(set) var types: Set<String> = []
  private(set) var constantCount = 0
  /// The end of the last constant in the file of weights.
  private(set) var end: UInt64 = 0
  private(set) var producer: String?
  private static let maximumTypes = 64
  /// The open elements, and of layers the type.
  private var path: [(name: String, type: String?)] = []

  mutating func run(_ reader: inout FormatReader) throws(FormatStop) {
    var scanner = XMLScanner()
    while true {
      switch try scanner.next(&reader) {
      case .finish: return
      case .end: path.removeLast()
      case .begin(let tag): try begin(tag)
      }
    }
  }

  private mutating func begin(_ tag: XMLScanner.Tag) throws(FormatStop) {
    let parent = path.last
    path.append((tag.name, tag.attributes["type"]))
    if path.count == 1 {
      guard tag.name == "net" else {
        throw stop(.badType, tag, "the root element net", tag.name)
      }
      version = try number("version", of: tag).flatMap { Int(exactly: $0) }
    } else if tag.name == "data", parent?.name == "layer", parent?.type == "Const" {
      try constant(tag)
    } else if parent?.name == "rt_info", path.count == 3, Self.namesProducer(tag) {
      producer = tag.attributes["value"]
    }
  }

  /// Whether the element gives the version that wrote the file, as releases of now or of 2023 do.
  private static func namesProducer(_ tag: XMLScanner.Tag) -> Bool {
    tag.name == "Runtime_version"
      || tag.name == "info" && tag.attributes["name"] == "OpenVINO Runtime"
  }

  private mutating func constant(_ tag: XMLScanner.Tag) throws(FormatStop) {
    guard let offset = try number("offset", of: tag), let size = try number("size", of: tag) else {
      throw stop(.missingKey, tag, "offset and size", "one or none of them")
    }
    let (end, overflowed) = offset.addingReportingOverflow(size)
    guard !overflowed else { throw stop(.overflow, tag, "an end below 2^64", "more") }
    self.end = max(self.end, end)
    constantCount += 1
    if let type = tag.attributes["element_type"].flatMap({ plainText(Array($0.utf8), limit: 32) }),
      types.count < Self.maximumTypes
    {
      types.insert(type)
    }
  }

  private func number(_ name: String, of tag: XMLScanner.Tag) throws(FormatStop) -> UInt64? {
    guard let text = tag.attributes[name] else { return nil }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) else {
      throw stop(.badType, tag, "a decimal \(name)", "\"\(text)\"")
    }
    return number
  }

  private func stop(
    _ code: FaultCode,
    _ tag: XMLScanner.Tag,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    .structure(code, at: tag.offset, "element \(tag.name)", expected: expected, found: found)
  }
}
