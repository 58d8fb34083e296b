import Manifests

extension Release {
  /// Where programs that know nothing of mirrors can fetch a file, each URL once, in the order of preference.
  ///
  /// The mirrors `others` come first.
  func urls(of file: FileEntry, with others: [MirrorTemplate] = []) -> [String] {
    var urls: [String] = []
    for template in others + file.mirrors + mirrors where template.scheme != .file {
      let url = template.url(of: file, in: self)
      if !urls.contains(url) { urls.append(url) }
    }
    return urls
  }
}
