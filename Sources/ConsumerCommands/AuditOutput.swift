import CommandErrors
import CommandLineKit
import Manifests
import StrictJSON
import SystemFiles

/// The file into which an audit writes its report.
struct AuditOutput: Sendable {
  private static let mode: UInt32 = 0o644

  let path: String

  /// Asks, before hours of reading, whether a report may stand at the path.
  ///
  /// An earlier report may be replaced, but not the one that the new one follows; nor may what is no plain file, or what
  /// nothing could make again; and what is audited gets no file that does not belong to it.
  /// - Throws: A diagnostic that says what stands there; `SystemError` for a folder that cannot be reached.
  func requireRoom(outside subject: String, previous: String?) throws {
    let (parent, name) = splitPath(path)
    guard try !liesWithin(subject) else { throw refusal("inside of what is audited") }
    let folder = try Folder(path: parent)
    guard let status = try folder.status(of: name) else { return }
    guard status.kind == .file else { throw refusal("no plain file") }
    if let previous, try OpenFile(reading: previous).status().identity == status.identity {
      throw refusal("the report that the new one follows")
    }
    guard status.size <= Envelope.maximumSize else { return }
    let found = try folder.readFile(name, limit: status.size) ?? []
    if let document = KeptDocument(found), !isReport(found) { throw refusal(document.words) }
  }

  private func liesWithin(_ subject: String) throws(SystemError) -> Bool {
    do {
      return try wouldLie(path, within: subject)
    } catch let error where error.isNotFound {
      // What is not there holds no report; the audit says that it is not there.
      return false
    }
  }

  /// Puts a report there at one instant.
  func write(_ bytes: [UInt8]) throws {
    do {
      try replaceFile(at: path, with: bytes, mode: Self.mode)
    } catch {
      throw error.at(path)
    }
  }

  /// Whether bytes are an earlier report, signed or not.
  private func isReport(_ bytes: [UInt8]) -> Bool {
    if let envelope = try? Envelope(parsing: bytes) {
      return envelope.payloadType == SignedReport.payloadType
    }
    let limits = JSONLimits(bytes: Envelope.maximumSize)
    guard case .object(let members)? = try? JSONReader.parse(bytes, limits: limits) else {
      return false
    }
    return members["schema"] == .string(SignedReport.schema)
  }

  private func refusal(_ what: String) -> Diagnostic {
    Diagnostic(
      .usage,
      kind: .exportThere,
      "--output \(path) is \(what), which no report replaces; nothing was read",
      helps: ["choose another place with --output, or none for standard output"]
    )
  }
}
