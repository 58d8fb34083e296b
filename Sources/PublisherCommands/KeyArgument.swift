import CommandErrors
import CommandLineKit
import Signatures
import Trust

/// A public key on a command line: the path of a file, or the key itself in a one-line form.
struct KeyArgument: Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Whether the text is a key rather than the path of one.
  private var isKey: Bool {
    text.utf8.starts(with: "ed25519:".utf8) || text.utf8.starts(with: "ssh-ed25519 ".utf8)
      || (text.utf8.count == 64
        && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit })
  }

  /// Reads the key; the file's path becomes its name.
  func key(_ context: CommandContext) throws -> TrustedKey {
    do {
      guard isKey else { return TrustedKey(publicKey: try PublicKey(file: text), name: text) }
      let key = try PublicKey(text: text)
      return TrustedKey(publicKey: key, name: key.shortForm)
    } catch {
      throw context.explain(error).about("--key \(text)")
    }
  }
}
