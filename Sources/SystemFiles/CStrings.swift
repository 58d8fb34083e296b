import Glibc

/// Calls `body` with the strings as C has them in `argv`, a null pointer at the end.
///
/// What `body` leaves of them is freed when it returns.
package func withCStrings(
  _ strings: [String],
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
) -> CInt {
  var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return EINVAL }
    return unsafe body(start)
  }
}
