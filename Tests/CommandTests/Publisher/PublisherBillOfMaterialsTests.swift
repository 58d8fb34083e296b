import Digests
import Foundation
import Manifests
import StrictJSON
import TestSupport
import Testing

/// The bill of materials, checked against the schema of its makers.
@Suite(
  .temporaryFolder,
  .enabled(if: PythonEnvironment.isThere, PythonEnvironment.notice)
)
struct PublisherBillOfMaterialsTests {
  /// Prints nothing for a document that the strict schema of CycloneDX 1.6 accepts.
  private static let validator = """
    import sys
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    found = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
    sys.exit(f"refused: {found}" if found else 0)
    """

  private func bill() async throws -> JSONObject {
    let outcome = try await publish(
      "export",
      "m.json",
      "--format",
      "cyclonedx",
      "--output",
      "b.json"
    )
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    guard case .object(let object) = try JSONReader.parse(try contents("b.json")) else {
      throw ToolOutcome.NoObject()
    }
    return object
  }

  @Test func `the strict schema accepts it, and refuses what it does not know`() async throws {
    try place(SampleModel.safetensors(), at: "files/model.safetensors")
    try place(SampleModel.gguf(architecture: "lfm2"), at: "files/model-Q4_K_M.gguf")
    try place(Array("# A \"model\" <card> & more\n".utf8), at: "files/README.md")
    let built = try await publish(
      "build",
      "files",
      "--model",
      "acme/tiny",
      "--version",
      "1.0.0-rc.1",
      "--output",
      "m.json",
      "--any-runtime",
      "--license",
      "LicenseRef-LFM-1.0",
      "--title",
      "Tiny \"é\" \u{1}",
      "--notes",
      "two\nlines",
      "--expires",
      "2030-01-01T00:00:00Z",
      "--mirror",
      "https://example.com/a b/{name}".replacing(" ", with: "%20")
    )
    try #require(built.exitCode == 0, "\(built.errors)")
    var bill = try await bill()
    let accepted = try await PythonEnvironment.run(Self.validator, "b.json")
    #expect(accepted.exitCode == 0, "\(accepted.errors)")
    bill["surplus"] = true
    try place(JSONWriter.compact(.object(bill)), at: "b.json")
    let refused = try await PythonEnvironment.run(Self.validator, "b.json")
    #expect(refused.exitCode == 1)
    #expect(refused.errors.contains("surplus"))
  }

  @Test(arguments: ["Apache 2.0", "MIT OR Apache-2.0"])
  func `a licence is an expression only where it has the grammar of one`(
    text: String
  ) async throws {
    try await buildManifest("--license", text)
    let model = try #require(try await bill()["metadata"]?.object?["component"]?.object)
    let expected: JSONValue =
      text == "Apache 2.0"
      ? [["license": ["name": .string(text)]]] : [["expression": .string(text)]]
    #expect(model["licenses"] == expected)
    let accepted = try await PythonEnvironment.run(Self.validator, "b.json")
    #expect(accepted.exitCode == 0, "\(accepted.errors)")
  }

  @Test func `it names the model, its licence, its card and every file`() async throws {
    try await buildManifest("--license", "MIT")
    let bill = try await bill()
    let digest = try manifest().payloadDigest.hex
    guard case .string(let serial)? = bill["serialNumber"] else {
      Issue.record("no serial number")
      return
    }
    #expect(serial.hasPrefix("urn:uuid:\(digest.prefix(8))-"))
    let model = try #require(bill["metadata"]?.object?["component"]?.object)
    #expect(model["type"] == "machine-learning-model")
    #expect(model["group"] == "acme")
    #expect(model["name"] == "tiny")
    #expect(model["licenses"] == [["expression": "MIT"]])
    let card = try #require(model["modelCard"]?.object?["modelParameters"]?.object)
    #expect(card["modelArchitecture"] == "llama")
    guard case .array(let files)? = bill["components"] else {
      Issue.record("no files")
      return
    }
    let sha256 = try #require(try manifest().release().files.first).sha256.hex
    #expect(files.count == 1)
    #expect(files.first?.object?["name"] == "model.gguf")
    #expect(files.first?.object?["hashes"] == [["alg": "SHA-256", "content": .string(sha256)]])
  }
}

extension JSONValue {
  fileprivate var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
}
