import CommandErrors
import CommandLineKit
import Signatures

/// How a private key is read, and what the copy of it is encrypted with, as the options of a command say.
struct KeyCopyOptions {
  let allowsInsecurePermissions: Bool
  /// Where the passphrase of the key comes from, or that of the copy where the key has none.
  let source: PassphraseSource
  /// Whether the copy is to be left unencrypted.
  private let isNone: Bool
  private let newSource: PassphraseSource

  /// Whether an option says what the copy is encrypted with.
  var isStated: Bool { isNone || newSource.isStated }

  /// The options, of which `without` describes the one that does without a passphrase.
  static func options(without summary: String) -> [OptionHelp] {
    [
      OptionHelp("--no-passphrase", summary),
      OptionHelp(
        "--insecure-key-permissions",
        "reads a private key file that other users can read, too"
      ),
    ] + PassphraseSource.options(.key) + PassphraseSource.options(.new)
  }

  /// Takes the options off `arguments`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    isNone = try arguments.flag("--no-passphrase")
    allowsInsecurePermissions = try arguments.flag("--insecure-key-permissions")
    source = try PassphraseSource(&arguments)
    newSource = try PassphraseSource(&arguments, .new)
    try newSource.requireOther(than: source)
    guard !isNone || !newSource.isStated else {
      throw UsageError("--no-passphrase excludes the options of a new passphrase")
    }
  }

  /// Returns the passphrase of the copy at `path`: none, a new one, or the `old` one of the key.
  func passphrase(
    for path: String,
    keeping old: consuming Passphrase?,
    _ context: CommandContext
  ) async throws -> Passphrase? {
    if isNone { return nil }
    if newSource.isStated { return try await newSource.newPassphrase(for: path, context, .new) }
    if let old { return old }
    return try await source.newPassphrase(for: path, context)
  }
}
