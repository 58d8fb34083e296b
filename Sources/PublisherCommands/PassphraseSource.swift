import CommandErrors
import CommandLineKit
import Signatures
import SystemFiles

/// Where the passphrase of a private key comes from; never from the command line itself.
enum PassphraseSource: Sendable {
  case terminal
  case file(String)
  /// A variable that the user named; none is read unasked.
  case variable(String)

  static let options = [
    OptionHelp("--passphrase-file", value: "FILE", "reads the passphrase from a file or pipe"),
    OptionHelp("--passphrase-env", value: "VAR", "takes the passphrase from this variable"),
  ]

  /// Takes the options off `arguments`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let file = try arguments.option("--passphrase-file") { $0 }
    let variable = try arguments.option("--passphrase-env") { $0 }
    switch (file, variable) {
    case (.some, .some):
      throw UsageError("--passphrase-file and --passphrase-env exclude each other")
    case (let file?, nil): self = .file(file)
    case (nil, let variable?): self = .variable(variable)
    case (nil, nil): self = .terminal
    }
  }

  /// Whether the user said where the passphrase is.
  var isStated: Bool {
    if case .terminal = self { false } else { true }
  }

  /// Returns the passphrase of an existing key.
  func passphrase(for path: String, _ context: CommandContext) async throws -> Passphrase {
    if let passphrase = try stated(context) { return passphrase }
    var bytes = try await PassphrasePrompt().ask("passphrase of \(path)")
    return try Passphrase(wiping: &bytes)
  }

  /// Returns the passphrase for a new key; on the terminal it is typed twice.
  func newPassphrase(for path: String, _ context: CommandContext) async throws -> Passphrase {
    if let passphrase = try stated(context) { return passphrase }
    var bytes: [UInt8]
    do {
      bytes = try await PassphrasePrompt().askTwice("new passphrase for \(path)")
    } catch let error as Diagnostic where error.kind == .noTerminal {
      throw Diagnostic(
        error.exitCode,
        kind: error.kind,
        error.message,
        notes: error.notes,
        helps: error.helps + ["or leave the key unencrypted with --no-passphrase"]
      )
    }
    return try Passphrase(wiping: &bytes)
  }

  private func stated(_ context: CommandContext) throws -> Passphrase? {
    switch self {
    case .terminal: return nil
    case .file(let path):
      do {
        return try Passphrase(reading: try OpenFile(reading: path))
      } catch let error as SystemError where error.isNotFound {
        throw Diagnostic(.notFound, "there is no passphrase file \(path)")
      } catch let error as KeyError {
        throw context.explain(error).about("--passphrase-file \(path)")
      }
    case .variable(let name):
      guard let value = context.environment[name] else {
        throw Diagnostic(
          .usage,
          kind: .noPassphrase,
          "the variable \(name) of --passphrase-env is not set",
          helps: ["export \(name), or use --passphrase-file FILE"]
        )
      }
      var bytes = Array(value.utf8)
      do {
        return try Passphrase(fileContents: &bytes)
      } catch {
        throw context.explain(error).about("--passphrase-env \(name)")
      }
    }
  }
}
