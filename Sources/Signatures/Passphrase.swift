package import SystemFiles

/// What opens an encrypted private key: at least one byte, in guarded memory.
///
/// What editors and shells add unseen is refused rather than guessed at: a byte order mark, and the line ends of Windows.
package struct Passphrase: ~Copyable {
  /// The most bytes that a passphrase may have.
  package static let limit = 4096

  let bytes: SecretBytes

  /// Takes what was typed, or stands in a variable, and wipes the array, also when it is refused.
  ///
  /// - Throws: ``KeyError/emptyPassphrase``, ``KeyError/byteOrderMark``, ``KeyError/carriageReturn`` or
  ///   ``KeyError/tooLong(limit:)``.
  package init(wiping bytes: inout [UInt8]) throws(KeyError) {
    try self.init(SecretBytes(wiping: &bytes))
  }

  /// Reads a file or pipe to its end, and takes all but one newline at the end.
  ///
  /// - Throws: What ``init(wiping:)`` throws, and ``KeyError/unreadable(_:)``.
  package init(reading file: borrowing OpenFile) throws(KeyError) {
    let contents = try SecretBytes(reading: file, limit: Self.limit + 1)
    try self.init(
      contents.withBytes { SecretBytes(copying: $0.extracting(first: countWithoutNewline($0))) }
    )
  }

  /// Takes the contents of a passphrase file as ``init(reading:)`` does, and wipes the array.
  package init(fileContents: inout [UInt8]) throws(KeyError) {
    let contents = SecretBytes(wiping: &fileContents)
    try self.init(
      contents.withBytes { SecretBytes(copying: $0.extracting(first: countWithoutNewline($0))) }
    )
  }

  private init(_ bytes: consuming SecretBytes) throws(KeyError) {
    guard bytes.count > 0 else { throw .emptyPassphrase }
    guard bytes.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    guard !bytes.withBytes({ $0.startsWithByteOrderMark }) else { throw .byteOrderMark }
    guard !bytes.withBytes({ hasWindowsLineEnd($0) }) else { throw .carriageReturn }
    self.bytes = bytes
  }

  /// Whether two passphrases are the same, as when one is typed twice.
  package func isEqual(to other: borrowing Passphrase) -> Bool { bytes.isEqual(to: other.bytes) }
}

/// The length of `text` less one newline at its end.
private func countWithoutNewline(_ text: Span<UInt8>) -> Int {
  text.count > 0 && text[text.count - 1] == UInt8(ascii: "\n") ? text.count - 1 : text.count
}

/// Whether a carriage return stands at the end of the text or of a line of it.
private func hasWindowsLineEnd(_ text: Span<UInt8>) -> Bool {
  text.indices.contains { index in
    text[index] == UInt8(ascii: "\r")
      && (index == text.count - 1 || text[index + 1] == UInt8(ascii: "\n"))
  }
}
