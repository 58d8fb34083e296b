import CommandLineKit
import PublisherCommands
import TestSupport
import Testing

@Suite(.temporaryFolder)
struct PublisherHelpTests {
  @Test func `help, options and examples of every command agree with what it reads`() {
    #expect(PublisherTool.table.problems() == [])
  }

  @Test func `the tool says its name and version`() async throws {
    let outcome = try await publish("--version")
    #expect(outcome.output == "sealift-publish \(PublisherTool.table.version)\n")
    #expect(outcome.exitCode == 0)
  }

  @Test func `without a command the overview is shown, with exit code 2`() async throws {
    let outcome = try await publish()
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("usage: sealift-publish COMMAND"))
  }

  @Test(arguments: PublisherTool.table.commands.map { $0.typedName })
  func `each command has a page`(name: String) async throws {
    let outcome = try await publish(name.split(separator: " ").map(String.init) + ["--help"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("sealift-publish \(name): "))
    #expect(outcome.output.contains("examples:\n"))
  }
}
