import CommandLineKit
import ConsumerCommands
import Foundation
import PublisherCommands
import TestSupport
import Testing

/// The manual pages, as the two programs read them that show manual pages.
@Suite(.temporaryFolder, .timeLimit(.minutes(10)))
struct ManualTests {
  private func pages(_ table: CommandTable) async throws -> [String] {
    let list = try await Tool.built(table.tool).run(["man", "--list"])
    #expect(list.errors.isEmpty)
    return list.output.split(separator: "\n").map(String.init)
  }

  @Test func `there is a page for each tool and each command, and no name stands for two`()
    async throws
  {
    let tables = [ConsumerTool.table, PublisherTool.table]
    var all: [String] = []
    for table in tables {
      let pages = try await pages(table)
      #expect(
        pages == [table.tool]
          + table.commands.map { ([table.tool] + $0.name).joined(separator: "-") }
      )
      all += pages
    }
    #expect(Set(all).count == all.count)
  }

  @Test(arguments: [ConsumerTool.table, PublisherTool.table])
  func `mandoc and man find no fault in any page`(table: CommandTable) async throws {
    let mandoc = try #require(Tool.installed("mandoc"))
    var man = try #require(Tool.installed("man"))
    man.environment["LC_ALL"] = "C.UTF-8"
    man.environment["MANWIDTH"] = "120"
    man.environment["MAN_KEEP_FORMATTING"] = nil
    for name in try await pages(table) {
      let page = try await Tool.built(table.tool).run(["man", name])
      try place(page.standardOutput, at: "\(name).1")
      let path = TemporaryFolder.path("\(name).1")
      let lint = try await mandoc.run(["-T", "lint", "-W", "warning", path])
      #expect(lint.ending == .exited(0) && lint.output.isEmpty, "\(lint.output)")
      let shown = try await man.run(["--warnings", "-l", path])
      #expect(shown.ending == .exited(0) && shown.errors.isEmpty, "\(name): \(shown.errors)")
      let words = shown.output.split { $0 == " " || $0 == "\n" }
      #expect(words.first == "\(name.uppercased())(1)")
      #expect(["NAME", "SYNOPSIS", "DESCRIPTION"].allSatisfy { words.contains(Substring($0)) })
    }
  }

  @Test(arguments: [ConsumerTool.table, PublisherTool.table])
  func `a page shows every operand, option and example as the help does`(table: CommandTable)
    async throws
  {
    let mandoc = try #require(Tool.installed("mandoc"))
    for command in table.commands {
      let page = try await Tool.built(table.tool).run(["man"] + command.name)
      try place(page.standardOutput, at: "page.1")
      // Wide enough that nothing is broken; backspaces draw bold letters.
      let shown = try await mandoc.run([
        "-T", "utf8", "-O", "width=500", TemporaryFolder.path("page.1"),
      ])
      let text = shown.output.replacing(/.\x{8}/, with: "")
      for option in command.help.options + table.globals.map(\.help) {
        #expect(text.contains("     \(option.form)"), "\(command.typedName) \(option.name)")
        #expect(text.contains(option.summary), "\(command.typedName) \(option.name)")
      }
      for operand in command.help.operands { #expect(text.contains(operand.summary)) }
      for example in command.help.examples { #expect(text.contains(example.line), "\(text)") }
    }
  }

  @Test func `a page that does not exist is refused with the nearest one`() async throws {
    let outcome = try await Tool.built("sealift").run(["man", "instal"])
    outcome.expectRefusal(2, "there is no manual page \"instal\"", help: "did you mean install?")
  }
}
