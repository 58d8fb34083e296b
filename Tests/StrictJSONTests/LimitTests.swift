import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  @Test func `32 levels are read and the 33rd is refused where it opens`() throws {
    #expect(throws: Never.self) { try parse(nested(32)) }
    #expect(throws: JSONSyntaxError(offset: 32, problem: .tooDeep(limit: 32))) {
      try parse(nested(33))
    }
  }

  @Test func `objects count as levels like arrays`() throws {
    let open = String(repeating: #"{"a":["#, count: 16)
    let close = String(repeating: "]}", count: 16)
    #expect(throws: Never.self) { try parse(open + "1" + close) }
    #expect(throws: JSONSyntaxError(offset: 96, problem: .tooDeep(limit: 32))) {
      try parse(open + "{}" + close)
    }
  }

  @Test(arguments: ["[", #"{"":"#, #"[{"":"#])
  func `a hundred thousand levels just fail`(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    let error = #expect(throws: JSONSyntaxError.self) { try parse(text) }
    #expect(error?.problem == .tooDeep(limit: 32))
  }

  @Test func `the greatest depth fits the stack`() {
    let limits = JSONLimits(depth: JSONLimits.greatestDepth)
    #expect(throws: Never.self) { try parse(nested(limits.depth), limits: limits) }
  }

  @Test func `depth zero admits only bare values`() throws {
    let limits = JSONLimits(depth: 0)
    #expect(try parse("1", limits: limits) == 1)
    #expect(throws: JSONSyntaxError(offset: 0, problem: .tooDeep(limit: 0))) {
      try parse("[]", limits: limits)
    }
  }

  @Test func `a document may fill the size limit and not exceed it`() throws {
    let limits = JSONLimits(bytes: 4)
    #expect(try parse("[12]", limits: limits) == [12])
    #expect(throws: JSONSyntaxError(offset: 4, problem: .tooLarge(limit: 4))) {
      try parse("[12] ", limits: limits)
    }
  }

  @Test func `limits are by default those of an envelope`() {
    #expect(JSONLimits() == JSONLimits(bytes: 16_777_216, depth: 32))
  }

  /// Text that would take minutes where a step of the reader is quadratic.
  enum HostileShape: CaseIterable {
    case manyObjects, manyEscapes, marksInText, marksInName, marksInNames, manyNames, manyWideNames
    case manySpaces, manyDigits

    var text: String {
      switch self {
      case .manyObjects: "[" + String(repeating: "{},", count: 50_000) + "1]"
      case .manyEscapes: "\"" + String(repeating: #"\n"#, count: 100_000) + "\""
      case .marksInText: "\"" + String(repeating: "\u{301}\u{323}", count: 200_000) + "\""
      case .marksInName: "{\"" + String(repeating: "\u{301}\u{323}", count: 200_000) + "\":1}"
      case .marksInNames:
        names(2_000) { "\($0)é" + String(repeating: "\u{301}\u{323}", count: 15) }
      case .manyNames: names(20_000) { "\($0)" }
      case .manyWideNames: names(20_000) { "é\($0)" }
      case .manySpaces: String(repeating: " ", count: 200_000) + "1"
      case .manyDigits: String(repeating: "9", count: 200_000)
      }
    }

    private func names(_ count: Int, _ name: (Int) -> String) -> String {
      "{" + (0..<count).map { "\"\(name($0))\":0" }.joined(separator: ",") + "}"
    }
  }

  @Test(arguments: HostileShape.allCases)
  func `hostile shapes take linear time`(shape: HostileShape) {
    _ = try? parse(shape.text)
  }
}
