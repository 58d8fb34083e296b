import Foundation
import TestSupport
import Testing

/// How a test hands a passphrase to `sealift-publish`.
enum PassphraseWay: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case terminal, file, pipe, descriptor, variable

  var testDescription: String { rawValue }
}

/// What `sealift-publish` did, and what a terminal showed meanwhile.
struct KeyOutcome: Sendable {
  let outcome: ToolOutcome
  let screen: String

  var exitCode: Int? { outcome.exitCode }
  var output: String { outcome.output }
  var errors: String { outcome.errors }
}

/// A passphrase for an option, `--passphrase` or `--new-passphrase`, and how it gets there.
struct GivenPassphrase: Sendable {
  let text: String
  let way: PassphraseWay
  var option = "--passphrase"
  /// What the terminal asks; the answer is typed as often as there are questions.
  var questions: [String]
}

/// Runs `sealift-publish` in the folder of the test with passphrases that come by different ways.
///
/// The process is a session of its own; it has a terminal only if a passphrase is to be typed.
func runKeyTool(
  _ arguments: [String],
  _ passphrases: [GivenPassphrase] = [],
  meanwhile: ((_ process: Int32, _ terminal: TestTerminal?) async throws -> Void)? = nil
) async throws -> KeyOutcome {
  let terminal =
    passphrases.contains { $0.way == .terminal } ? TestTerminal() : nil
  var tool = try #require(Tool.installed("setsid"))
  tool.folder = TemporaryFolder.current
  var options: [String] = []
  var redirections: [String] = terminal.map { ["9<>\($0.path)"] } ?? []
  for (number, given) in passphrases.enumerated() {
    let name = "given-\(number)"
    switch given.way {
    case .terminal: break
    case .file:
      try place(Array((given.text + "\n").utf8), at: name)
      options += ["\(given.option)-file", name]
    case .pipe:
      try place(Array(given.text.utf8), at: name)
      // A pipe by its path, as the substitution of a shell makes it.
      redirections.append("\(number + 5)< <(cat \(name))")
      options += ["\(given.option)-file", "/dev/fd/\(number + 5)"]
    case .descriptor:
      try place(Array((given.text + "\n").utf8), at: name)
      redirections.append("\(number + 3)<\(name)")
      options += ["\(given.option)-fd", "\(number + 3)"]
    case .variable:
      tool.environment["SECRET_\(number)"] = given.text
      options += ["\(given.option)-env", "SECRET_\(number)"]
    }
  }
  let script = "exec \"$0\" \"$@\" \(redirections.joined(separator: " "))"
  let path = try Tool.built("sealift-publish").path
  let running = try tool.start(
    ["--wait", "/bin/bash", "-c", script, path] + arguments + options
  )
  let end = Task {
    let outcome = await running.wait()
    terminal?.end()
    return outcome
  }
  if let terminal {
    for given in passphrases where given.way == .terminal {
      for question in given.questions {
        guard await terminal.wait(for: question) else { break }
        if question == given.questions.first, let meanwhile {
          let process = children(of: running.process).first
          if let process { try await meanwhile(process, terminal) }
          #expect(process != nil, "nobody looked at the tool, which was not found")
        }
        terminal.type(given.text + "\n")
      }
    }
  }
  return KeyOutcome(outcome: await end.value, screen: terminal?.text ?? "")
}
