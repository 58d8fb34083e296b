import CommandErrors
import CommandLineKit
import ConsumerCommands
import Foundation
import ModelFormats
import PublisherCommands
import Testing

/// The closed list of kinds, what `explain` says of them, and what the code can report.
@Suite struct KindTests {
  struct ToolUnderTest: Sendable, CustomTestStringConvertible {
    let table: CommandTable
    /// The target with the tool's commands.
    let commands: String

    var testDescription: String { table.tool }
  }

  static let tools = [
    ToolUnderTest(table: ConsumerTool.table, commands: "ConsumerCommands"),
    ToolUnderTest(table: PublisherTool.table, commands: "PublisherCommands"),
  ]

  private static let everywhere = [
    "CommandLineKit", "CommandErrors", "ConsumerCommands", "PublisherCommands",
  ]

  @Test(arguments: tools)
  func `every kind that the commands of a tool report has one page`(tool: ToolUnderTest) throws {
    let reported = Set(try SourceKinds(["CommandLineKit", tool.commands]).kinds)
    let pages = tool.table.pages.map(\.kind)
    #expect(pages.filter { kind in pages.count { $0 == kind } > 1 } == [])
    #expect(reported.union(exitWords).subtracting(pages) == [], "these lack a page")
  }

  @Test func `what both tools may report has a page in one of them, and no page is of no use`()
    throws
  {
    let reported = Set(try SourceKinds(Self.everywhere).kinds).union(exitWords)
    let pages = Set(Self.tools.flatMap { $0.table.pages.map(\.kind) })
    #expect(reported.subtracting(pages) == [], "these lack a page")
    #expect(pages.subtracting(reported) == [], "nothing reports these")
  }

  @Test func `every kind of the list is reported by one of the tools`() {
    let pages = Self.tools.flatMap { $0.table.pages.map(\.kind) }
    #expect(Set(DiagnosticKind.allCases).subtracting(pages) == [])
  }

  @Test(arguments: tools)
  func `a page names the exit codes that its kind comes with`(tool: ToolUnderTest) throws {
    for (kind, code) in try SourceKinds(["CommandLineKit", "CommandErrors", tool.commands]).codes
    where code != .done {
      guard let page = tool.table.pages.first(where: { $0.kind == kind }) else { continue }
      // A warning states a code as well, for its class in JSON.
      guard !page.codes.isEmpty else { continue }
      #expect(page.codes.contains(code), "\(kind)")
    }
  }

  @Test(arguments: tools)
  func `a page says what a kind means, its causes and what to do, in the form of messages`(
    tool: ToolUnderTest
  ) {
    for page in tool.table.pages {
      #expect(!page.causes.isEmpty && !page.helps.isEmpty, "\(page.kind)")
      for text in [page.meaning] + page.causes + page.helps {
        #expect(!text.isEmpty && !text.hasSuffix("."), "\(page.kind): \(text)")
        #expect(text.first?.isUppercase == false || text.hasPrefix("Ctrl"), "\(page.kind): \(text)")
      }
    }
  }

  @Test(arguments: FaultCode.allCases)
  func `the word of a fault in a file is the same everywhere`(code: FaultCode) {
    #expect(DiagnosticKind(code).rawValue == code.rawValue)
  }

  @Test(arguments: ExitCode.allCases)
  func `the word of an exit code is a kind`(code: ExitCode) {
    #expect(DiagnosticKind(code).rawValue == "\(code)")
  }

  private var exitWords: Set<DiagnosticKind> { Set(ExitCode.allCases.map(DiagnosticKind.init)) }
}

/// The kinds that the code of some targets names where it makes diagnostics.
struct SourceKinds {
  private(set) var kinds: [DiagnosticKind] = []
  private(set) var codes: [(DiagnosticKind, ExitCode)] = []

  init(_ targets: [String]) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    for target in targets {
      let files = FileManager.default.enumerator(
        at: sources.appending(path: target),
        includingPropertiesForKeys: nil
      )
      for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
        guard !["KindPage", "DiagnosticKind."].contains(where: file.lastPathComponent.hasPrefix)
        else {
          continue
        }
        try read(String(contentsOf: file, encoding: .utf8))
      }
    }
  }

  private mutating func read(_ text: String) throws {
    for match in text.matches(of: /kind: \.(\w+)/) { add(match.output.1) }
    for match in text.matches(of: /let kind = .* : \.(\w+)/) { add(match.output.1) }
    for match in text.matches(of: /\.(\w+),\s*kind: \.(\w+)/) {
      guard let kind = Self.kind(match.output.2) else { continue }
      let code = ExitCode.allCases.first { "\($0)" == match.output.1 }
      if let code { codes.append((kind, code)) }
    }
    // Where kinds are chosen: what a function, a property or an initializer of the type answers.
    for match in text.matches(of: /(->|:) DiagnosticKind \{|extension DiagnosticKind \{/) {
      let body = Self.body(text[match.range.upperBound...])
      for answer in body.matches(of: /(?:: |\? |return |= )\.(\w+)/) { add(answer.output.1) }
    }
  }

  private mutating func add(_ name: Substring) {
    if let kind = Self.kind(name) { kinds.append(kind) }
  }

  private static func kind(_ name: Substring) -> DiagnosticKind? {
    DiagnosticKind.allCases.first { "\($0)" == name }
  }

  /// The text up to the brace that closes the one before it.
  private static func body(_ text: Substring) -> Substring {
    var depth = 1
    let end = text.firstIndex { character in
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      return depth == 0
    }
    return text[..<(end ?? text.endIndex)]
  }
}
