/// How much a document may ask of its reader.
package struct JSONLimits: Sendable, Equatable {
  /// The depth that signed documents may have.
  package static let defaultDepth = 32
  /// The size that the envelope of a manifest may have: 16 MiB.
  package static let defaultBytes = 16 << 20
  /// The depth that the stack of any thread bears.
  package static let greatestDepth = 128

  /// The greatest count of bytes.
  package let bytes: Int
  /// The greatest count of arrays and objects inside each other; a bare integer has depth zero.
  package let depth: Int

  /// Sets the limits; a depth over `greatestDepth` is a mistake in the program and stops it.
  package init(bytes: Int = defaultBytes, depth: Int = defaultDepth) {
    precondition(bytes >= 0 && (0...Self.greatestDepth).contains(depth))
    self.bytes = bytes
    self.depth = depth
  }
}
