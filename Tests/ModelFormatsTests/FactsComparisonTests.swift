import Digests
import Manifests
import ModelFormats
import Testing

/// What a manifest states of a file, beside what its bytes say.
struct FactsComparisonTests {
  private func facts(
    _ name: StaticString = "gguf",
    version: Int? = 3,
    architecture: String? = "llama",
    types: [String] = ["F32"],
    more: [String: FormatFacts.Fact] = [:]
  ) -> FormatFacts {
    FormatFacts(
      name: FormatName(known: name),
      version: version,
      architecture: architecture,
      types: types,
      more: more
    )
  }

  @Test func `each fact that both sides know must agree`() throws {
    let found = try inspect("m.gguf", GGUFSample().bytes).format
    #expect(found.contradiction(by: found) == nil)
    #expect(facts(more: ["tensorCount": .integer(1)]).contradiction(by: found) == nil)
    let wrong: [(FormatFacts, String)] = [
      (facts("onnx"), "the format"), (facts(version: 2), "the version"),
      (facts(architecture: "qwen2"), "the architecture"), (facts(types: ["F16"]), "the types"),
      (facts(more: ["tensorCount": .integer(2)]), "tensorCount"),
      (facts(more: ["tensorTypes": .counts(["F32": 2])]), "tensorTypes"),
    ]
    for (stated, subject) in wrong {
      let fault = stated.contradiction(by: found)
      #expect(fault?.code == .formatFactsMismatch)
      #expect(fault?.subject == subject)
    }
  }

  @Test func `facts of one side alone, and formats without a name, are no difference`() throws {
    let found = try inspect("m.gguf", GGUFSample().bytes).format
    #expect(facts(version: nil, architecture: nil, types: []).contradiction(by: found) == nil)
    #expect(facts(more: ["fromLater": .integer(1)]).contradiction(by: found) == nil)
    #expect(facts("other").contradiction(by: found) == nil)
    #expect(facts("tensorrt").contradiction(by: FormatFacts(name: .other)) == nil)
  }

  @Test func `what could not be checked passes only where the manifest says so`() throws {
    let path = try RelativePath("m.gguf")
    let source = BytesInMemory(GGUFSample.with { $0.tensors[0].type = 99 }.bytes)
    let refused = FileInspection(path, source)
    #expect(refused.problem?.fault.code == "unknownTensorType")
    #expect(refused.format.more["unverified"] == .list(["unknownTensorType"]))
    let agreed = InspectionConsent(of: refused.format)
    #expect(FileInspection(path, source, consent: agreed).problem == nil)
    let other = facts(more: ["unverified": .list(["newerVersion"])])
    #expect(FileInspection(path, source, consent: InspectionConsent(of: other)).problem != nil)
  }

  @Test(arguments: [
    (FileRole.weights, true), (.draft, true), (.other, true), (.projector, false), (.vocab, false),
  ])
  func `the role in a manifest fits what the file is`(role: FileRole, isRight: Bool) throws {
    let inspection = try inspect("m.gguf", GGUFSample().bytes)
    let entry = FileEntry(
      path: inspection.path,
      size: inspection.size,
      sha256: SHA256Digest(of: []),
      role: role,
      format: inspection.format
    )
    let code = inspection.problem(against: entry)?.fault.code
    #expect(code == (isRight ? nil : "roleMismatch"))
  }
}
