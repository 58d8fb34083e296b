/// The vectors of a CAVS response file (`.rsp`), as NIST publishes them.
package struct ResponseFile {
  /// The names and values of each group, in order; a group begins where a name would repeat.
  package let groups: [[String: String]]

  package init(_ folder: VectorFolder, _ name: String) throws {
    var groups: [[String: String]] = [[:]]
    for line in try folder.lines(name) where !line.hasPrefix("#") && !line.hasPrefix("[") {
      let parts = line.split(separator: "=", maxSplits: 1).map {
        $0.trimmingPrefix(while: \.isWhitespace)
      }
      guard parts.count == 2, let key = parts[0].split(separator: " ").first.map(String.init) else {
        throw VectorError.malformed(line)
      }
      if groups[groups.count - 1][key] != nil { groups.append([:]) }
      groups[groups.count - 1][key] = String(parts[1])
    }
    self.groups = groups
  }
}

/// A file of vectors is not as it should be.
package enum VectorError: Error {
  case malformed(String)
}
