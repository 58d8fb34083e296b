/// A name of a signer that an `allowed_signers` file can carry as it is: ASCII letters, digits and `@._+-`.
package struct SignerIdentity: Hashable, Sendable {
  package static let release = SignerIdentity(known: "release")

  package let text: String

  /// Reads a name of 1 to 128 bytes that begins with a letter or digit.
  ///
  /// - Throws: ``PublishingError/badIdentity(_:)``.
  package init(_ text: String) throws(PublishingError) {
    let isPlain: (UInt8) -> Bool = { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
    }
    guard 1...128 ~= text.utf8.count, let first = text.utf8.first, isPlain(first),
      text.utf8.allSatisfy({ isPlain($0) || "@._+-".utf8.contains($0) })
    else { throw .badIdentity(text) }
    self.text = text
  }

  private init(known text: String) { self.text = text }
}
