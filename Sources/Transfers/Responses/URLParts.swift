import CCurl

/// A URL under libcurl's own parser, so that what we check is what libcurl will ask.
@safe struct URLParts: ~Copyable {
  private let handle: OpaquePointer

  init() {
    guard let handle = unsafe curl_url() else { preconditionFailure("out of memory") }
    unsafe self.handle = handle
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// Sets a part, or the whole URL; a relative one is resolved against what is there.
  func set(_ part: CURLUPart, _ value: String?, _ flags: CInt = 0) throws(MirrorFault) {
    guard value?.utf8.contains(0) != true else { throw .unusableURL("NUL in it") }
    let code = unsafe curl_url_set(handle, part, value, UInt32(flags))
    guard code == CURLUE_OK else {
      throw .unusableURL(unsafe String(cString: curl_url_strerror(code)))
    }
  }

  /// A part as it stands; nil if there is none.
  func get(_ part: CURLUPart, _ flags: CInt = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
      let found = unsafe text
    else { return nil }
    defer { unsafe curl_free(found) }
    return unsafe String(cString: found)
  }
}
