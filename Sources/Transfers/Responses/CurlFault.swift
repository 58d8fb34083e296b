import CCurl
import Glibc
import SystemFiles

/// What a libcurl result that is not success says about a mirror.
///
/// A code that is not known here counts against the mirror, never against the run.
/// - Parameters:
///   - code: The `CURLcode`.
///   - host: The host that was asked.
///   - systemCode: The `errno` of a failed connection, 0 if there is none.
///   - reason: libcurl's own words.
/// - Returns: The fault.
package func mirrorFault(
  of code: UInt32,
  host: String,
  systemCode: CInt,
  reason: String
) -> MirrorFault {
  switch CURLcode(rawValue: code) {
  case CURLE_COULDNT_RESOLVE_HOST: .unresolvedName(host: host)
  case CURLE_COULDNT_RESOLVE_PROXY: .unresolvedProxy(reason: reason)
  case CURLE_COULDNT_CONNECT: connectFault(systemCode: systemCode, reason: reason)
  case CURLE_URL_MALFORMAT: .unusableURL(reason)
  case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
    CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
    CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    .certificate(reason: reason)
  // libcurl calls an answer without a status line an unsupported protocol, HTTP/0.9.
  case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformedHead(reason)
  default: .connection(code: Int(code), reason: reason)
  }
}

extension MirrorFault {
  /// Whether libcurl had no memory, or more than it takes of a line.
  var isOutOfMemory: Bool {
    if case .connection(let code, _) = self {
      code == Int(CURLE_OUT_OF_MEMORY.rawValue)
    } else {
      false
    }
  }

  /// Whether the two sides did not come to speak TLS, or the certificate was not accepted.
  package var isAboutTLS: Bool {
    switch self {
    case .certificate: true
    case .connection(let code, _):
      [CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED]
        .contains { Int($0.rawValue) == code }
    default: false
    }
  }

  /// The same fault of a connection that was to go to `place`, which is not the mirror itself.
  package func connecting(to place: String) -> MirrorFault {
    switch self {
    case .refusedConnection(let reason): .refusedConnection("\(place): \(reason)")
    case .noRoute(let reason): .noRoute("\(place): \(reason)")
    default: self
    }
  }
}

/// The host and port that libcurl says it could not reach, in `Failed to connect to HOST port PORT after …`.
package func unreachedPlace(in complaint: String) -> String? {
  let words = complaint.split(separator: " ")
  guard complaint.hasPrefix("Failed to connect to "), words.count > 6, words[5] == "port",
    let port = Int(words[6])
  else { return nil }
  return "\(printable(Array(words[4].utf8))):\(port)"
}

private func connectFault(systemCode: CInt, reason: String) -> MirrorFault {
  let reason = systemCode == 0 ? reason : SystemError("connect", code: systemCode).reason
  return [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(systemCode)
    ? .noRoute(reason) : .refusedConnection(reason)
}
