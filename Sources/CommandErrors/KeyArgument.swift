package import CommandLineKit
import Signatures
package import Trust

/// A public key on a command line: the path of a file, or the key itself in a one-line form.
package struct KeyArgument: Sendable {
  private let text: String
  private let option: String

  /// Takes what a person typed as the value of `option`.
  package init(_ text: String, of option: String = "--key") {
    (self.text, self.option) = (text, option)
  }

  /// Whether the text is a key rather than the path of one.
  private var isKey: Bool {
    text.utf8.starts(with: "ed25519:".utf8) || text.utf8.starts(with: "ssh-ed25519 ".utf8)
      || (text.utf8.count == 64
        && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit })
  }

  /// Reads the key; the path, or the short form of a key that is given itself, becomes its name.
  package func key(_ context: CommandContext) throws -> TrustedKey {
    do throws(KeyError) {
      guard isKey else { return TrustedKey(publicKey: try PublicKey(file: text), name: text) }
      let key = try PublicKey(text: text)
      return TrustedKey(publicKey: key, name: key.shortForm)
    } catch {
      throw context.explain(error, at: text, of: option)
    }
  }

  /// Reads the key; the name of the file without its folder and without `.pub` becomes its name, as that of a key
  /// that a person goes on to meet in lists.
  package func shortlyNamedKey(_ context: CommandContext) throws -> TrustedKey {
    do throws(KeyError) {
      guard isKey else {
        return TrustedKey(publicKey: try PublicKey(file: text), name: Self.name(of: text))
      }
      let key = try PublicKey(text: text)
      return TrustedKey(publicKey: key, name: key.shortForm)
    } catch {
      throw context.explain(error, at: text)
    }
  }

  private static func name(of path: String) -> String {
    let file =
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    return file.utf8.suffix(4).elementsEqual(".pub".utf8) ? String(file.dropLast(4)) : file
  }
}
