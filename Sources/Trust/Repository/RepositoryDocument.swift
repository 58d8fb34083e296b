import Manifests
import StrictJSON

/// Reads a document of a repository, so that whatever is wrong with it names its path.
func readDocument<Value>(
  _ bytes: [UInt8],
  at path: String,
  _ read: (JSONMembers<DocumentProblem>) throws(DocumentProblem) -> Value
) throws(RepositoryError) -> Value {
  let value: JSONValue
  do {
    value = try JSONReader.parse(bytes)
  } catch {
    throw .document(path: path, .syntax(error))
  }
  do {
    return try read(try JSONMembers(document: value))
  } catch {
    throw .document(path: path, error)
  }
}

extension JSONMembers where Failure == DocumentProblem {
  func model(_ name: String) throws(DocumentProblem) -> ModelName {
    try node(name).text { text throws(ManifestError) in try ModelName(text) }
  }

  func version(_ name: String) throws(DocumentProblem) -> Version {
    try node(name).text { text throws(ManifestError) in try Version(text) }
  }

  func time(_ name: String) throws(DocumentProblem) -> Timestamp {
    try node(name).text { text throws(ManifestError) in try Timestamp(text) }
  }

  /// Reads names of channels; which are in no order, and of which the same may stand twice.
  func channels(_ name: String) throws(DocumentProblem) -> Set<ChannelName> {
    var channels: Set<ChannelName> = []
    for node in try array(name) {
      channels.insert(try node.text { text throws(ManifestError) in try ChannelName(text) })
    }
    return channels
  }
}

extension Set<ChannelName> {
  /// The names as a document has them: sorted.
  var document: JSONValue { .array(sorted().map { .string($0.text) }) }
}
