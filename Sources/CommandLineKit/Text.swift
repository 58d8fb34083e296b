extension String {
  /// Whether both texts are the same UTF-8 bytes; `==` would accept other spellings of equal-looking text.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// Returns `text` between double quotes, with what a terminal would obey or hide spelled out.
package func quoted(_ text: String) -> String { "\"\(printable(text))\"" }
