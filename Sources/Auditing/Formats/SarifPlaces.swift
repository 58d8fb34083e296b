import Digests
import Manifests
import StrictJSON

/// Where findings are: files beneath what was audited, as SARIF names them.
struct SarifPlaces {
  private static let base = "AUDITED"

  private let subject: AuditReport.Subject
  /// The place of each file among the artifacts, by its URI.
  private var indexes: [String: Int] = [:]
  /// The files of all versions.
  private(set) var artifacts: [JSONValue] = []

  init(_ report: AuditReport) {
    subject = report.subject
    for model in report.models {
      for version in model.versions {
        for file in version.files {
          let path = path(model.name, version.folder, file.path)
          guard indexes.updateValue(artifacts.count, forKey: path) == nil else { continue }
          artifacts.append(artifact(file, at: path, mode: report.mode))
        }
      }
    }
  }

  /// The one folder that all places are beneath.
  var bases: JSONValue {
    let path = subject.path
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var members: JSONObject = [:]
    // A relative path has no file URI; then nobody but the reader knows where it is.
    if isAbsolute {
      members["uri"] = .string("file://\(Self.encoded(path))\(path.hasSuffix("/") ? "" : "/")")
    }
    members["description"] = ["text": .string(SarifLog.plain("what was audited: \(path)"))]
    return .object([Self.base: .object(members)])
  }

  /// The locations of a finding: the wrong bytes of a file, a file, or the document that a version or model stands on.
  func locations(of located: LocatedFinding) -> [JSONValue] {
    let name = located.version.map { "\(located.model)@\($0)" } ?? located.model.text
    let logical: JSONValue = [
      [
        "fullyQualifiedName": .string(name),
        "kind": .string(located.version == nil ? "model" : "version"),
      ]
    ]
    guard let path = path(of: located) else { return [["logicalLocations": logical]] }
    var artifact: JSONObject = ["uri": .string(path), "uriBaseId": .string(Self.base)]
    artifact["index"] = indexes[path].map { .integer(Int64($0)) }
    let ranges = located.finding.chunks.byteRanges
    let regions: [JSONValue?] =
      ranges.isEmpty
      ? [nil]
      : ranges.map {
        [
          "byteOffset": .integer(Int64($0.lowerBound)), "byteLength": .integer(Int64($0.count)),
        ]
      }
    return regions.map { region in
      var physical: JSONObject = ["artifactLocation": .object(artifact)]
      physical["region"] = region
      return ["physicalLocation": .object(physical), "logicalLocations": logical]
    }
  }

  private func path(of located: LocatedFinding) -> String? {
    if let file = located.file { return path(located.model, located.folder, file) }
    guard case .store = subject else { return nil }
    let model = "models/\(Self.encoded(located.model.folderName))"
    guard let folder = located.folder else { return "\(model)/active.json" }
    return "\(model)/versions/\(Self.encoded(folder))/manifest.json"
  }

  private func path(_ model: ModelName, _ folder: String?, _ file: String) -> String {
    guard case .store = subject, let folder else { return Self.encoded(file) }
    let version = "models/\(Self.encoded(model.folderName))/versions/\(Self.encoded(folder))"
    return "\(version)/files/\(Self.encoded(file))"
  }

  private func artifact(_ file: AuditedFile, at path: String, mode: AuditMode) -> JSONValue {
    var members: JSONObject = [
      "location": ["uri": .string(path), "uriBaseId": .string(Self.base)],
      "roles": ["analysisTarget"],
    ]
    if let signed = file.signed, file.verdict == .ok {
      members["length"] = .integer(Int64(signed.size))
      // Only bytes that were all read have a digest.
      if mode == .full { members["hashes"] = ["sha-256": .string(signed.sha256.hex)] }
    }
    return .object(members)
  }

  /// The bytes of a path as a relative reference of a URI (RFC 3986): all but unreserved characters and slashes in
  /// per cent, so that no segment is taken for a scheme.
  private static func encoded(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }
}
