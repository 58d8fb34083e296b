/// One header field as it stood on the wire.
package struct HTTPField: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  func has(_ name: String) -> Bool { lowered(self.name).elementsEqual(lowered(name)) }
}

extension [HTTPField] {
  /// The value of the first field of this name, whatever its letter case.
  package func value(_ name: String) -> String? { first { $0.has(name) }?.value }
}

/// The bytes of `text` with the letters A to Z in lower case.
func lowered(_ text: String) -> [UInt8] {
  text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}
