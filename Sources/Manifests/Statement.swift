import Digests
import StrictJSON

/// An in-toto Statement v1 about a model release.
struct Statement {
  static let type = "https://in-toto.io/Statement/v1"
  static let predicateType = "urn:sealift:model-release:v1"

  /// The name of each subject and its digest, in the order of the document.
  let subjects: [(name: String, sha256: SHA256Digest)]
  let predicate: JSONMembers<DocumentProblem>

  /// Reads a payload; other members than the four of the specification are ignored.
  init(payload: [UInt8]) throws(DocumentProblem) {
    let value: JSONValue
    do {
      value = try JSONReader.parse(payload, limits: JSONLimits(bytes: Envelope.maximumSize))
    } catch {
      throw .syntax(error)
    }
    let statement = try JSONMembers<DocumentProblem>(document: value)
    try statement.node("_type").expect(Self.type)
    try statement.node("predicateType").expect(Self.predicateType)
    subjects = try statement.objects("subject").map { subject throws(DocumentProblem) in
      let digest = try subject.object("digest").node("sha256").sha256()
      return (try subject.string("name"), digest)
    }
    predicate = try statement.object("predicate")
  }

  /// Returns the canonical bytes of a statement whose subjects are the files of `release`.
  static func encode(_ release: Release) -> [UInt8] {
    JSONWriter.canonical([
      "_type": .string(type),
      "subject": .array(
        release.files.map { file in
          ["name": .string(file.path.text), "digest": ["sha256": .string(file.sha256.hex)]]
        }
      ),
      "predicateType": .string(predicateType),
      "predicate": release.json,
    ])
  }

  /// Checks that subjects and files agree in both directions, so that tools that read only one see
  /// the same release.
  func checkSubjects(against files: [FileEntry]) throws(DocumentProblem) {
    var digests: [[UInt8]: SHA256Digest] = [:]
    for subject in subjects {
      guard digests.updateValue(subject.sha256, forKey: Array(subject.name.utf8)) == nil else {
        throw .subjectTwice(name: subject.name)
      }
    }
    for file in files {
      guard let digest = digests.removeValue(forKey: Array(file.path.text.utf8)) else {
        throw .subjectMissing(file: file.path.text)
      }
      guard digest == file.sha256 else { throw .subjectDiffers(file: file.path.text) }
    }
    for subject in subjects where digests[Array(subject.name.utf8)] != nil {
      throw .subjectUnknown(name: subject.name)
    }
  }
}
