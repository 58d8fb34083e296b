import Digests
import Manifests
import StrictJSON

/// A file of a bill of materials.
struct FileComponent {
  private let file: FileEntry
  private let release: Release

  init(_ file: FileEntry, of release: Release) {
    self.file = file
    self.release = release
  }

  /// The name of the component in the document; files with the same bytes have their own.
  var reference: String { "file:\(file.path)" }

  var members: JSONObject {
    let hashes: JSONValue = [["alg": "SHA-256", "content": .string(file.sha256.hex)]]
    var members: JSONObject = [
      "type": "file", "bom-ref": .string(reference), "name": .string(file.path.text),
      "hashes": hashes,
    ]
    let urls = release.urls(of: file)
    if !urls.isEmpty {
      members["externalReferences"] = .array(
        urls.map { ["type": "distribution", "url": .string($0), "hashes": hashes] }
      )
    }
    members["properties"] = .array(properties)
    return members
  }

  private var properties: [JSONValue] {
    var properties = [
      property("size", String(file.size)), property("role", file.role.text),
      property("format", file.format.name.text),
    ]
    if let version = file.format.version {
      properties.append(property("formatVersion", String(version)))
    }
    if let architecture = file.format.architecture {
      properties.append(property("architecture", architecture))
    }
    properties += file.format.types.map { property("type", $0) }
    properties += file.runtimes.map { property("runtime", $0.description) }
    properties.append(property("basis", file.basis.rawValue))
    return properties
  }
}
