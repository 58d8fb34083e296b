extension RuntimeStatement {
  /// Whether any scheme that orders versions can read the version: garbage helps nobody later.
  package var isReadable: Bool {
    [RuntimeScheme.build, .semver, .dotted].contains {
      RuntimeVersion(reading: version, as: $0) != nil
    }
  }

  /// The runtime that a program of this file name is; nil for others.
  package static func runtime(ofProgram name: String) -> RuntimeName? {
    let known: [(String, StaticString)] = [
      ("llama-", "llama.cpp"), ("llama.cpp", "llama.cpp"), ("ollama", "ollama"),
      ("sw_vers", "macos"),
    ]
    return known.first { name.utf8.starts(with: $0.0.utf8) }.map { RuntimeName(known: $0.1) }
  }

  /// Finds in what a program prints about itself the line that tells a version.
  ///
  /// Known are `version: 10393 (hash)` and `version: 0.2.0-dev (build 10573, commit …)` of llama.cpp,
  /// `ollama version is 0.30.0`, and a version alone on its line.
  package static func version(inOutput bytes: [UInt8]) -> String? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.prefix(1_000).map { trimmed($0) }
    for label in ["version:", "ProductVersion:"] {
      for line in lines where line.starts(with: label.utf8) {
        if let version = readable(line.dropFirst(label.utf8.count)) { return version }
      }
    }
    let word = Array("version is ".utf8)
    for line in lines {
      guard let start = line.indices.first(where: { line[$0...].starts(with: word) }) else {
        continue
      }
      if let version = readable(line[(start + word.count)...]) { return version }
    }
    return lines.lazy.compactMap(readable).first
  }

  private static func readable(_ line: ArraySlice<UInt8>) -> String? {
    let text = trimmed(line)
    guard text.count <= 256, text.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    let version = string(text)
    let statement = RuntimeStatement(name: RuntimeName(known: "runtime"), version: version)
    return statement.isReadable ? version : nil
  }
}
