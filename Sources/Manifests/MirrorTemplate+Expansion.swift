package import Digests

extension MirrorTemplate {
  /// Returns the URL of one file of a release.
  package func url(of file: FileEntry, in release: Release) -> String {
    url(of: file.path, sha256: file.sha256, model: release.model, version: release.version)
  }

  /// Returns the URL of one file.
  ///
  /// Every byte of a value that is not unreserved in RFC 3986 is percent-encoded (`+` too, which
  /// some object stores read as a space). The `/` of a path or a model name stays a separator in a
  /// path, and is encoded in a query.
  package func url(
    of path: RelativePath,
    sha256: SHA256Digest,
    model: ModelName,
    version: Version
  ) -> String {
    var url = ""
    for part in parts {
      switch part {
      case .literal(let text): url += text
      case .placeholder(.sha256, _): url += sha256.hex
      case .placeholder(.name, let inQuery): url += encoded(path.text, keepsSlash: !inQuery)
      case .placeholder(.model, let inQuery): url += encoded(model.text, keepsSlash: !inQuery)
      case .placeholder(.version, _): url += encoded(version.text, keepsSlash: false)
      }
    }
    return url
  }
}

private func encoded(_ text: String, keepsSlash: Bool) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  for byte in text.utf8 {
    let isPlain = byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
    if isPlain || (keepsSlash && byte == UInt8(ascii: "/")) {
      result.append(byte)
    } else {
      result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return string(result)
}
