import StrictJSON
import Testing

struct JSONMembersTests {
  private typealias Members = JSONMembers<JSONShapeError>
  typealias Problem = JSONShapeError.Problem

  private let document: JSONValue = [
    "text": "é", "count": 7, "flag": true, "nothing": .null, "big": .integer(.max), "less": -1,
    "list": ["a", "b"], "mixed": ["a", 1],
    "files": ["a b.gguf": ["size": 5], "plain": ["size": "5"]],
    "runtimes": [["name": "x"], ["name": 2], 3],
  ]

  private func members() throws(JSONShapeError) -> Members { try Members(document: document) }

  @Test func `members are read as the kind that is asked for`() throws {
    let members = try members()
    #expect(try members.string("text") == "é")
    #expect(try members.integer("count") == 7)
    #expect(try members.integer("less", in: -1...0) == -1)
    #expect(try members.integer("big", in: 0...Int.max) == .max)
    #expect(try members.boolean("flag") == true)
    #expect(try members.strings("list") == ["a", "b"])
    #expect(try members.array("mixed").map(\.value) == ["a", 1])
    #expect(try members.object("files").object("a b.gguf").integer("size") == 5)
    #expect(try members.array("runtimes")[0].object().string("name") == "x")
    #expect(try members.node("nothing").value == .null)
    #expect(members.object["count"] == 7)
  }

  @Test func `an optional member is read when it is there`() throws {
    let members = try members()
    #expect(try members.optionalString("text") == "é")
    #expect(try members.optionalInteger("count") == 7)
    #expect(try members.optionalStrings("list") == ["a", "b"])
    #expect(try members.optionalArray("mixed")?.count == 2)
    #expect(try members.optionalObject("files")?.nodes.map(\.name) == ["a b.gguf", "plain"])
    #expect(try Members(document: ["o": [["a": 1]]]).optionalObjects("o")?.count == 1)
    #expect(members.optionalNode("nothing")?.value == .null)
  }

  @Test func `an optional member that is absent is nil`() throws {
    let members = try members()
    #expect(try members.optionalString("x") == nil)
    #expect(try members.optionalInteger("x") == nil)
    #expect(try members.optionalStrings("x") == nil)
    #expect(try members.optionalArray("x") == nil)
    #expect(try members.optionalObject("x") == nil)
    #expect(try members.optionalObjects("x") == nil)
    #expect(members.optionalNode("x") == nil)
  }

  private typealias Refusal = (
    path: String, problem: Problem, read: @Sendable (Members) throws -> Any
  )

  private static let refusals: [Refusal] = [
    ("x", .missing, { try $0.string("x") }),
    ("x", .missing, { try $0.object("x") }),
    ("files.plain.x", .missing, { try $0.object("files").object("plain").strings("x") }),
    ("count", .wrongType(expected: .string, found: .integer), { try $0.string("count") }),
    ("nothing", .wrongType(expected: .string, found: .null), { try $0.string("nothing") }),
    ("flag", .wrongType(expected: .integer, found: .boolean), { try $0.integer("flag") }),
    ("count", .wrongType(expected: .boolean, found: .integer), { try $0.boolean("count") }),
    ("files", .wrongType(expected: .array, found: .object), { try $0.array("files") }),
    ("list", .wrongType(expected: .object, found: .array), { try $0.object("list") }),
    ("mixed[1]", .wrongType(expected: .string, found: .integer), { try $0.strings("mixed") }),
    ("runtimes[2]", .wrongType(expected: .object, found: .integer), { try $0.objects("runtimes") }),
    (
      "runtimes[1].name", .wrongType(expected: .string, found: .integer),
      { try $0.array("runtimes")[1].object().string("name") }
    ),
    (
      #"files["a b.gguf"].size"#, .outOfRange(5, allowed: 6...7),
      { try $0.object("files").object("a b.gguf").integer("size", in: 6...7) }
    ),
    ("big", .outOfRange(.max, allowed: 0...9_007_199_254_740_991), { try $0.integer("big") }),
    ("less", .outOfRange(-1, allowed: 0...9_007_199_254_740_991), { try $0.integer("less") }),
  ]

  @Test(arguments: refusals.indices)
  func `a member of another shape is refused with its path`(index: Int) throws {
    let (path, problem, read) = Self.refusals[index]
    #expect(throws: JSONShapeError(path: path, problem: problem)) { try read(members()) }
  }

  @Test func `an optional member of another kind is refused, null included`() throws {
    let members = try Members(document: ["a": .null])
    let expectRefusal = { (expected: JSONValue.Kind, read: (String) throws -> Any?) in
      let problem = Problem.wrongType(expected: expected, found: .null)
      #expect(throws: JSONShapeError(path: "a", problem: problem)) { _ = try read("a") }
    }
    expectRefusal(.string) { try members.optionalString($0) }
    expectRefusal(.integer) { try members.optionalInteger($0) }
    expectRefusal(.array) { try members.optionalArray($0) }
    expectRefusal(.array) { try members.optionalStrings($0) }
    expectRefusal(.array) { try members.optionalObjects($0) }
    expectRefusal(.object) { try members.optionalObject($0) }
  }

  @Test func `a document that isn't an object is refused with an empty path`() {
    let problem = Problem.wrongType(expected: .object, found: .array)
    #expect(throws: JSONShapeError(path: "", problem: problem)) { try Members(document: []) }
  }

  @Test func `the greatest integer by default is the last that floating point keeps`() throws {
    let members = try Members(document: ["a": 9_007_199_254_740_991, "b": 9_007_199_254_740_992])
    #expect(try members.integer("a") == 9_007_199_254_740_991)
    #expect(throws: JSONShapeError.self) { try members.integer("b") }
  }

  @Test func `names that nobody knows are listed in their order`() throws {
    let members = try Members(document: ["z": 1, "é": 2, "known": 3, "a": 4])
    #expect(members.unknownNames(besides: ["known", "e\u{301}"]) == ["z", "é", "a"])
    #expect(members.unknownNames(besides: ["known", "é", "z", "a"]) == [])
  }

  @Test func `a module's own error type receives the shape`() {
    #expect(throws: ReleaseError.shape(JSONShapeError(path: "name", problem: .missing))) {
      try release([:])
    }
    #expect(throws: ReleaseError.unnamed(at: "name")) { try release(["name": ""]) }
  }

  private func release(_ document: JSONValue) throws(ReleaseError) -> String {
    let members = try JSONMembers<ReleaseError>(document: document)
    let name = try members.string("name")
    guard !name.isEmpty else { throw .unnamed(at: members.path(of: "name")) }
    return name
  }

  private enum ReleaseError: JSONShapeFailure, Equatable {
    case shape(JSONShapeError)
    case unnamed(at: String)
  }
}
