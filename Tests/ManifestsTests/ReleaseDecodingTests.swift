import Digests
import Manifests
import StrictJSON
import Testing

struct ReleaseDecodingTests {
  static let digest = Samples.digest("a.bin").hex

  /// A statement about one file `a.bin`, with members of the predicate and of the file replaced or added.
  private func payload(
    predicate: [String: JSONValue?] = [:],
    file: [String: JSONValue?] = [:],
    top: [String: JSONValue?] = [:]
  ) -> [UInt8] {
    var entry: JSONObject = [
      "size": 5, "sha256": .string(Self.digest), "role": "weights", "format": ["name": "other"],
    ]
    for (name, value) in file { entry[name] = value }
    var members: JSONObject = [
      "model": "m", "version": "1.0.0", "released": "2026-11-30T00:00:00Z",
      "files": ["a.bin": .object(entry)],
    ]
    for (name, value) in predicate { members[name] = value }
    var statement: JSONObject = [
      "_type": "https://in-toto.io/Statement/v1",
      "subject": [["name": "a.bin", "digest": ["sha256": .string(Self.digest)]]],
      "predicateType": "urn:sealift:model-release:v1", "predicate": .object(members),
    ]
    for (name, value) in top { statement[name] = value }
    return JSONWriter.pretty(.object(statement))
  }

  private func problem(_ bytes: [UInt8]) -> DocumentProblem? {
    do { _ = try Release(payload: bytes) } catch .payload(let problem) { return problem } catch {}
    return nil
  }

  @Test func `only what a release needs must be there, in any unambiguous JSON`() throws {
    let release = try Release(payload: payload())
    #expect(release.model.text == "m")
    #expect(release.license == nil)
    #expect(release.runtimes.isEmpty)
    #expect(release.files.first?.role == .weights)
    #expect(release.details == ReleaseDetails())
  }

  @Test(arguments: ["model", "version", "released", "files"])
  func `a missing member of the predicate is named`(name: String) {
    let error = JSONShapeError(path: "predicate.\(name)", problem: .missing)
    #expect(problem(payload(predicate: [name: nil])) == .shape(error))
  }

  @Test(arguments: ["size", "sha256", "role", "format"])
  func `a missing member of a file is named`(name: String) {
    let path = "predicate.files[\"a.bin\"].\(name)"
    #expect(
      problem(payload(file: [name: nil]))
        == .shape(JSONShapeError(path: path, problem: .missing))
    )
  }

  @Test(arguments: ["_type", "subject", "predicateType", "predicate"])
  func `a missing member of the statement is named`(name: String) {
    let error = JSONShapeError(path: name, problem: .missing)
    #expect(problem(payload(top: [name: nil])) == .shape(error))
  }

  @Test(arguments: [
    ("_type", "https://in-toto.io/Statement/v0.1", "https://in-toto.io/Statement/v1"),
    ("predicateType", "https://slsa.dev/provenance/v1", "urn:sealift:model-release:v1"),
    ("predicateType", "urn:sealift:model-release:v2", "urn:sealift:model-release:v1"),
  ])
  func `a statement of another kind is refused`(name: String, found: String, expected: String) {
    #expect(
      problem(payload(top: [name: .string(found)]))
        == .unexpected(path: name, expected: expected, found: found)
    )
  }

  @Test(arguments: [-1, 1 << 53, .min, .max] as [Int64])
  func `a size outside of 0 to 2^53 - 1 is refused`(size: Int64) {
    let path = "predicate.files[\"a.bin\"].size"
    let allowed = Int64(0)...(1 << 53 - 1)
    #expect(
      problem(payload(file: ["size": .integer(size)]))
        == .shape(JSONShapeError(path: path, problem: .outOfRange(size, allowed: allowed)))
    )
  }

  @Test(arguments: ["5.0", "5e0", "05", "-0", "+5", "9223372036854775808", "0x5"])
  func `a size in another spelling is refused`(spelling: String) throws {
    let text = String(decoding: payload(), as: UTF8.self)
    let changed = text.replacing("\"size\": 5", with: "\"size\": \(spelling)")
    #expect(changed != text)
    guard case .syntax = problem(Array(changed.utf8)) else {
      Issue.record("\(spelling) was accepted")
      return
    }
  }

  @Test(arguments: [
    String(digest.dropLast()), digest + "0", digest.uppercased(), "sha256:" + digest, "../../x", "",
    String(digest.dropLast()) + "é",
  ])
  func `a digest is 64 lower-case digits`(text: String) {
    let fault = TextFault.badForm(expected: "64 digits of 0-9 and a-f")
    let path = "predicate.files[\"a.bin\"].sha256"
    #expect(
      problem(payload(file: ["sha256": .string(text)]))
        == .text(path: path, TextProblem(.digest, text, fault))
    )
  }

  @Test(arguments: [
    "../a", "/a", "", ".", "a/./b", "a\\b", "C:x", "a.", "a ", "NUL", "é", "a\u{1}", "-x",
  ])
  func `a bad path of each kind is refused where it stands`(path: String) {
    let file: JSONValue = [
      "size": 5, "sha256": .string(Self.digest), "role": "weights", "format": ["name": "other"],
    ]
    let files = JSONValue.object(JSONObject(uniqueMembers: [(path, file)]))
    guard case .text(_, let text) = problem(payload(predicate: ["files": files])) else {
      Issue.record("\(path) was accepted")
      return
    }
    #expect(text.kind == .path)
    #expect(text.found == path)
  }

  @Test(
    arguments: [
      ("model", "A", .model), ("version", "1.0", .version), ("released", "today", .timestamp),
      ("license", "", .license), ("expires", "2026-02-30T00:00:00Z", .timestamp),
    ] as [(String, String, TextKind)]
  )
  func `a text that breaks its rule is named`(name: String, text: String, kind: TextKind) {
    guard case .text(let path, let found) = problem(payload(predicate: [name: .string(text)]))
    else {
      Issue.record("\(text) was accepted")
      return
    }
    #expect(path == "predicate.\(name)")
    #expect(found.kind == kind)
  }

  @Test(
    arguments: [
      ([], .subjectMissing(file: "a.bin")),
      ([("b.bin", digest)], .subjectMissing(file: "a.bin")),
      ([("a.bin", digest), ("b.bin", digest)], .subjectUnknown(name: "b.bin")),
      ([("a.bin", digest), ("a.bin", digest)], .subjectTwice(name: "a.bin")),
      ([("a.bin", SHA256Digest.ofNothing.hex)], .subjectDiffers(file: "a.bin")),
      ([("A.bin", digest)], .subjectMissing(file: "a.bin")),
    ] as [([(String, String)], DocumentProblem)]
  )
  func `subjects and files agree in both directions`(
    subjects: [(String, String)],
    expected: DocumentProblem
  ) {
    let list = subjects.map { name, digest -> JSONValue in
      ["name": .string(name), "digest": ["sha256": .string(digest)]]
    }
    #expect(problem(payload(top: ["subject": .array(list)])) == expected)
  }

  @Test func `unknown members are ignored`() throws {
    let unknown: [String: JSONValue?] = ["later": ["a": [1, true]]]
    let plain = try Release(payload: payload())
    #expect(try Release(payload: payload(predicate: unknown, file: unknown, top: unknown)) == plain)
  }

  @Test(arguments: [
    "later", "files.later", "runtimes", "files.format.later", "é", "", "predicate.model",
  ])
  func `an unknown critical member refuses`(name: String) throws {
    let bytes = payload(predicate: ["critical": ["model", .string(name)]])
    if name == "runtimes" {
      #expect(try Release(payload: bytes).details.critical == ["model", "runtimes"])
    } else {
      #expect(problem(bytes) == .unknownCritical(name))
    }
  }

  @Test func `mirrors with a scheme of a later version are left out`() throws {
    let mirrors: JSONValue = ["s3://bucket/{name}", "https://h/{name}", "oci://r/x"]
    let release = try Release(payload: payload(predicate: ["mirrors": mirrors]))
    #expect(release.mirrors.map(\.text) == ["https://h/{name}"])
  }

  @Test func `a mirror with credentials refuses the manifest`() {
    let bytes = payload(predicate: ["mirrors": ["https://u:p@h/{name}"]])
    let text = TextProblem(.mirror, "https://u:p@h/{name}", .credentials)
    #expect(problem(bytes) == .text(path: "predicate.mirrors[0]", text))
  }

  @Test func `an unknown runtime scheme refuses the manifest`() {
    let runtime: JSONValue = ["name": "llama.cpp", "scheme": "git-hash", "min": "abc"]
    let text = TextProblem(
      .runtimeScheme,
      "git-hash",
      .badForm(expected: "build, semver, dotted or exact")
    )
    #expect(
      problem(payload(predicate: ["runtimes": [runtime]]))
        == .text(path: "predicate.runtimes[0].scheme", text)
    )
  }

  @Test func `chunks that do not cover their file are refused`() throws {
    let path = try RelativePath("a.bin")
    let bytes = payload(file: ["chunks": .string(Samples.table([4]).base64)])
    #expect(problem(bytes) == .release(.chunksDiffer(file: path, size: 5, covered: 4)))
  }

  @Test func `no files are no release`() {
    let bytes = payload(predicate: ["files": [:]], top: ["subject": []])
    #expect(problem(bytes) == .release(.noFiles))
  }

  @Test func `facts of a later version are ignored, others are kept`() throws {
    let format: JSONValue = [
      "name": "gguf", "layers": [["n": 1]], "flag": true, "ratio": ["a": "b"], "count": 3,
    ]
    let release = try Release(payload: payload(file: ["format": format]))
    #expect(release.files.first?.format.more == ["count": .integer(3)])
  }

  @Test(arguments: ["{}", "[]", "1", "\"x\"", "null"])
  func `a payload that is no statement is refused`(text: String) {
    guard case .shape = problem(Array(text.utf8)) else {
      Issue.record("\(text) was accepted")
      return
    }
  }

  @Test(arguments: [
    "", "{", "{\"a\":1,\"a\":1}", "{\"a\":1,}", "\u{FEFF}{}", "{}x", "{\"a\":\"\\u0000\"}",
    String(repeating: "[", count: 100_000), String(repeating: "[", count: 33),
  ])
  func `a payload that is ambiguous is refused`(text: String) {
    guard case .syntax = problem(Array(text.utf8)) else {
      Issue.record("\(text.prefix(20)) was accepted")
      return
    }
  }

  @Test func `any cut or flipped bit of a payload is refused or read, and never crashes`() throws {
    let bytes = try Samples.fullRelease().encode()
    let places = HarmedPlaces(bytes)
    for count in places.cuts { #expect(problem(Array(bytes.prefix(count))) != nil) }
    for index in places.flips {
      for bits: UInt8 in [0x01, 0x20, 0x80] {
        var changed = bytes
        changed[index] ^= bits
        _ = try? Release(payload: changed)
      }
    }
  }
}
