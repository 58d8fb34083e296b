import StrictJSON
import Testing

struct JSONObjectTests {
  @Test(arguments: [3, 8, 9, 10, 100])
  func `members are found, replaced in place, added and removed at any count`(count: Int) {
    var object = JSONObject(uniqueMembers: (0..<count).map { ("n\($0)", .integer(Int64($0))) })
    #expect(object.count == count)
    #expect((0..<count).allSatisfy { object["n\($0)"] == .integer(Int64($0)) })
    #expect(object["n\(count)"] == nil)

    object["n1"] = "one"
    object["new"] = true
    object["n0"] = nil
    object["absent"] = nil
    let names = (1..<count).map { "n\($0)" } + ["new"]
    #expect(object.members.map(\.name) == names)
    #expect(object.members.first?.value == "one")
    #expect(object["n0"] == nil)
    #expect(object["n\(count - 1)"] == .integer(Int64(count - 1)))
    #expect(object["new"] == true)
  }

  @Test func `names that differ only in normal form are different members`() {
    var object: JSONObject = ["é": 1]
    object["e\u{301}"] = 2
    #expect(object.count == 2)
    #expect(object["é"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test func `the index tells names of different normal form apart too`() {
    var object = JSONObject(uniqueMembers: (0..<20).map { ("n\($0)", 0) })
    object["é"] = 1
    #expect(object["e\u{301}"] == nil)
    #expect(object.contains("é"))
  }

  @Test func `equality ignores the order of members and nothing else`() {
    #expect(["a": 1, "b": [1, 2]] as JSONValue == ["b": [1, 2], "a": 1])
    #expect(["a": 1, "b": [1, 2]] as JSONValue != ["a": 1, "b": [2, 1]])
    #expect(["a": 1] as JSONValue != ["a": 1, "b": 2])
    #expect(["a": 1] as JSONValue != ["b": 1])
    #expect(["é": 1] as JSONValue != ["e\u{301}": 1])
    #expect(["a": "é"] as JSONValue != ["a": "e\u{301}"])
  }

  @Test func `values of different kinds differ`() {
    let values: [JSONValue] = [.null, false, 0, "", [], [:]]
    #expect(values.map(\.kind) == JSONValue.Kind.allCases)
    for (first, one) in values.enumerated() {
      for (second, other) in values.enumerated() {
        #expect((one == other) == (first == second))
      }
    }
  }

  @Test func `a name that stands twice in a literal stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = ["a": 1, "a": 2] as JSONObject }
  }

  @Test func `an object without members is empty`() {
    #expect(JSONObject().isEmpty)
    #expect(!JSONObject(uniqueMembers: [("a", 1)]).isEmpty)
  }
}
