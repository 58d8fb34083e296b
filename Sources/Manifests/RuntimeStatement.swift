/// What a client says about the runtime that will load the model: `llama.cpp=b5873`.
package struct RuntimeStatement: Hashable, Sendable {
  package let name: RuntimeName
  /// The version as stated, or as the runtime prints it; judged only against a requirement's
  /// scheme.
  package let version: String

  /// Takes a name and a version text of any form.
  package init(name: RuntimeName, version: String) {
    self.name = name
    self.version = version
  }

  /// Reads `NAME=VERSION`; the version may be empty, which says that it is unknown.
  package init(_ text: String) throws(ManifestError) {
    let bytes = Array(text.utf8)
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
      throw .text(.runtimeStatement, text, .badForm(expected: "NAME=VERSION"))
    }
    let name = try RuntimeName(string(bytes[..<equals]))
    self.init(name: name, version: string(bytes[(equals + 1)...]))
  }
}
