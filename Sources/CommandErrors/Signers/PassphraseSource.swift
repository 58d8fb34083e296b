package import CommandLineKit
package import Signatures
import SystemFiles

/// Where the passphrase of a private key comes from; never from the command line itself.
package enum PassphraseSource: Equatable, Sendable {
  case terminal
  case file(String)
  /// A descriptor that whoever started the tool has opened for it.
  case descriptor(Int32)
  /// A variable that the user named; none is read unasked.
  case variable(String)

  /// Whose passphrase it is.
  package enum Role: String, Sendable {
    /// That of a key: of the one that is there, or of the only one that there will be.
    case key = "--passphrase"
    /// That which a key is to have from now on.
    case new = "--new-passphrase"
  }

  package static let options = options(.key)

  package static func options(_ role: Role) -> [OptionHelp] {
    let word = role == .key ? "passphrase" : "new passphrase"
    return [
      OptionHelp("\(role.rawValue)-file", value: "FILE", "reads the \(word) from a file or pipe"),
      OptionHelp(
        "\(role.rawValue)-fd",
        value: "N",
        "reads the \(word) from an open descriptor, 3 or more, or 0"
      ),
      OptionHelp("\(role.rawValue)-env", value: "VAR", "takes the \(word) from this variable"),
    ]
  }

  /// Takes the options off `arguments`.
  package init(_ arguments: inout ArgumentReader, _ role: Role = .key) throws(UsageError) {
    let name = role.rawValue
    let stated: [(option: String, source: PassphraseSource?)] = [
      ("\(name)-file", try arguments.option("\(name)-file") { .file($0) }),
      ("\(name)-fd", try arguments.option("\(name)-fd") { .descriptor(try Self.number($0)) }),
      ("\(name)-env", try arguments.option("\(name)-env") { .variable($0) }),
    ]
    let given = stated.filter { $0.source != nil }
    guard given.count <= 1 else {
      throw UsageError("\(given[0].option) and \(given[1].option) exclude each other")
    }
    self = given.first?.source ?? .terminal
  }

  private static func number(_ text: String) throws(UsageError) -> Int32 {
    guard let number = Int32(text), number == 0 || number > 2, text.utf8.first != UInt8(ascii: "+")
    else {
      throw UsageError("\(quoted(text)) is no descriptor to read from; it is 0, or 3 or more")
    }
    return number
  }

  /// Whether the user said where the passphrase is.
  package var isStated: Bool { self != .terminal }

  /// Whether the passphrase is gone from its place once it was read.
  package var isReadOnce: Bool {
    switch self {
    case .descriptor, .variable: true
    case .terminal, .file: false
    }
  }

  /// Refuses one place for two passphrases: what was read there once is gone.
  package func requireOther(than other: PassphraseSource) throws(UsageError) {
    guard isStated, self == other else { return }
    throw UsageError("both passphrases would come from the same place")
  }

  /// Returns the passphrase of an existing key.
  package func passphrase(for path: String, _ context: CommandContext) async throws -> Passphrase {
    if let passphrase = try stated(context, .key) { return passphrase }
    var bytes = try await PassphrasePrompt().ask("passphrase of \(path)")
    return try Passphrase(wiping: &bytes)
  }

  /// Returns the passphrase for a new key; on the terminal it is typed twice.
  ///
  /// `role` says which options the source was read from, `option` which one does without a passphrase.
  package func newPassphrase(
    for path: String,
    _ context: CommandContext,
    _ role: Role = .key,
    without option: String = "--no-passphrase"
  ) async throws -> Passphrase {
    if let passphrase = try stated(context, role) { return passphrase }
    var bytes: [UInt8]
    do {
      bytes = try await PassphrasePrompt().askTwice("new passphrase for \(path)")
    } catch let error as Diagnostic where error.kind == .noTerminal {
      throw Diagnostic(
        error.exitCode,
        kind: error.kind,
        error.message,
        notes: error.notes,
        helps: [
          "give it with \(role.rawValue)-file FILE or \(role.rawValue)-env VARIABLE",
          "or leave the key unencrypted with \(option)",
        ]
      )
    }
    return try Passphrase(wiping: &bytes)
  }

  private func stated(_ context: CommandContext, _ role: Role) throws -> Passphrase? {
    requirePrivateMemory()
    switch self {
    case .terminal: return nil
    case .file(let path):
      return try explained("\(role.rawValue)-file \(path)", context) {
        try Passphrase(reading: try OpenFile(reading: path))
      }
    case .descriptor(let number):
      return try explained("\(role.rawValue)-fd \(number)", context) {
        try Passphrase(reading: try OpenFile(inherited: number))
      }
    case .variable(let name):
      let option = "\(role.rawValue)-env"
      guard var bytes = context.takeVariable(name) else {
        throw Diagnostic(
          .usage,
          kind: .noPassphrase,
          "the variable \(name) of \(option) is not set",
          helps: ["export \(name), or use \(role.rawValue)-file FILE"]
        )
      }
      return try explained("\(option) \(name)", context) {
        try Passphrase(fileContents: &bytes)
      }
    }
  }

  /// Says where the passphrase was to come from when it cannot be had.
  private func explained(
    _ place: String,
    _ context: CommandContext,
    _ read: () throws -> Passphrase
  ) throws -> Passphrase {
    do { return try read() } catch let error as SystemError {
      switch self {
      case .file(let path) where error.isNotFound:
        throw Diagnostic(.notFound, "there is no passphrase file \(path)")
      case .descriptor:
        throw Diagnostic(
          .usage,
          kind: .noPassphrase,
          "\(place): no descriptor of that number is open for reading",
          helps: ["in a shell, write 3< FILE after the command for the descriptor 3"]
        )
      default: throw error
      }
    } catch let error as KeyError {
      throw context.explain(error).about(place)
    }
  }
}
