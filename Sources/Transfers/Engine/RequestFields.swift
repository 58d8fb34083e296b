import CCurl

/// Header fields that each request carries, in libcurl's list.
@safe final class RequestFields {
  /// What every request says.
  static let common = [
    "Accept-Encoding: identity", "Cache-Control: no-transform", "Accept: */*",
  ]

  let list: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) {
    unsafe list = lines.reduce(nil) { unsafe curl_slist_append($0, $1) }
  }

  deinit { unsafe curl_slist_free_all(list) }
}
