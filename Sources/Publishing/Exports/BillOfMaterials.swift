import Digests
package import Manifests
import StrictJSON

/// A CycloneDX 1.6 bill of materials of a release (ECMA-424): the model with its card, and every file of it.
///
/// The same manifest and generator give the same bytes: the serial number comes from the digest of the payload, and the
/// time is that of the release.
package struct BillOfMaterials: Equatable, Sendable {
  package let bytes: [UInt8]

  /// - Parameters:
  ///   - envelope: The manifest.
  ///   - tool: The program that writes it, and its version.
  /// - Throws: `ManifestError` for an envelope without a manifest.
  package init(
    _ envelope: Envelope,
    tool: (name: String, version: String)
  ) throws(ManifestError) {
    let release = try envelope.release()
    let model = ModelComponent(release, manifest: envelope.payloadDigest)
    let files = release.files.map { FileComponent($0, of: release) }
    let document: JSONObject = [
      "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
      "bomFormat": "CycloneDX",
      "specVersion": "1.6",
      "serialNumber": .string(Self.serialNumber(envelope.payloadDigest)),
      "version": 1,
      "metadata": [
        "timestamp": .string(release.released.text),
        "tools": [
          "components": [
            ["type": "application", "name": .string(tool.name), "version": .string(tool.version)]
          ]
        ],
        "component": .object(model.members),
      ],
      "components": .array(files.map { .object($0.members) }),
      "dependencies": .array(
        [
          [
            "ref": .string(ModelComponent.reference),
            "dependsOn": .array(files.map { .string($0.reference) }),
          ]
        ]
      ),
      // A release is a closed set of files.
      "compositions": [
        ["aggregate": "complete", "assemblies": [.string(ModelComponent.reference)]]
      ],
    ]
    bytes = JSONWriter.pretty(.object(document))
  }

  /// A UUID of the kind that says nothing about its origin (RFC 9562, version 8), from a digest.
  private static func serialNumber(_ digest: SHA256Digest) -> String {
    var bytes = Array(digest.bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexDigits(of: Array(bytes[$0])) }
    return "urn:uuid:" + groups.joined(separator: "-")
  }
}
