package import CommandLineKit
import Digests
import ModelFormats
import StrictJSON
package import Verification

extension Console {
  /// Prints what is wrong with files, one line or `finding` event each, and then what all of it comes to.
  ///
  /// - Parameters:
  ///   - findings: At least one.
  ///   - place: The folder that was compared; nil for files that were named one by one.
  /// - Returns: The exit code of the command.
  package func report(_ findings: [FileFinding], in place: String?) -> ExitCode {
    for finding in findings {
      print(finding.text)
      event("finding", finding.members)
    }
    let diagnostic = Diagnostic(findings, in: place)
    report(diagnostic)
    return diagnostic.exitCode
  }
}

extension Diagnostic {
  /// What the findings of a comparison come to: 5 where bytes differ, else 9 for what is signed and no model, else 8.
  package init(_ findings: [FileFinding], in place: String?) {
    let isOne = findings.count == 1
    let place = place.map { " in \($0)" } ?? ""
    let subject = "\(groupedText(findings.count)) \(isOne ? "entry" : "entries")\(place)"
    if findings.contains(where: { !$0.isPublishersFault && !$0.isUnreadable }) {
      self.init(.wrongBytes, "\(subject) \(isOne ? "differs" : "differ") from the manifest")
    } else if findings.contains(where: \.isPublishersFault) {
      self.init(
        .unusable,
        kind: .notAModel,
        "\(subject) \(isOne ? "is" : "are") as signed, and no model",
        helps: ["the publisher has to build the release again from the right files"]
      )
    } else {
      self.init(.localFailure, kind: .unreadable, "\(subject) cannot be read")
    }
  }
}

extension FileFinding {
  /// The finding for programs: what was expected and what was found as far as it is known.
  fileprivate var members: JSONObject {
    var members: JSONObject = [
      "path": .string(path), "code": .string(DiagnosticKind(self).rawValue),
      "message": .string(text),
    ]
    switch problem {
    case .wrongSize(let expected, let found):
      members["expectedSize"] = .integer(Int64(expected))
      members["foundSize"] = .integer(Int64(found))
    case .wrongChunks(let chunks):
      members["chunks"] = .array(
        chunks.map {
          [
            "offset": .integer(Int64($0.offset)), "length": .integer(Int64($0.length)),
            "expectedSha256": .string($0.digest.hex),
          ]
        }
      )
    case .wrongDigest(let expected, let found), .contradiction(let expected, let found):
      members["expectedSha256"] = .string(expected.hex)
      members["foundSha256"] = .string(found.hex)
    case .pointer(let pointer, let expected, let size):
      members["expectedSha256"] = .string(expected.hex)
      members["expectedSize"] = .integer(Int64(size))
      members["pointerSha256"] = pointer.oid.map { .string($0.hex) }
      members["pointerSize"] = pointer.size.map { .integer(Int64($0)) }
    case .missing, .notAFile, .notAModel, .unreadable, .extra: break
    }
    return members
  }

  fileprivate var isUnreadable: Bool {
    if case .unreadable = problem { true } else { false }
  }
}
