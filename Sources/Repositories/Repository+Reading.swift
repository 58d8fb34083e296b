package import Transfers
import Trust

extension Repository {
  /// Reads the file at a path such as `metadata/2.root.json`, of which more than so many bytes are never needed; nil if there
  /// is none.
  package typealias Reading = (_ path: String, _ limit: Int) throws -> [UInt8]?

  /// Reads the files of a mirror one after the other, for somebody who looks at the whole of a repository.
  ///
  /// Nothing is judged, and nothing is kept. A file that the mirror does not have is nil.
  /// - Parameters:
  ///   - mirror: Whom to ask.
  ///   - options: How.
  ///   - body: Gets a function that reads a file by its path in the tree; runs on a thread of its own.
  /// - Returns: What `body` returns.
  /// - Throws: ``RepositoryFault/unreachable(file:troubles:)`` for a file that could not be had, `CancellationError`, and what
  ///   `body` throws.
  package static func reading<Value: Sendable>(
    _ mirror: RepositoryMirror,
    options: FetchOptions,
    _ body: @escaping @Sendable (Reading) throws -> Value
  ) async throws -> Value {
    let clocks = RepositoryClocks()
    let network = Network([mirror], clocks.applied(to: options), clocks)
    return try await network.run { source, _ in
      try body { path, limit in try source.read(path, limit: limit) }
    }
  }
}

extension MirrorSource {
  /// Reads a file by its path in the tree; nil if there is none.
  fileprivate func read(_ path: String, limit: Int) throws -> [UInt8]? {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let rest = String(path[path.utf8.index(after: slash)...])
    let isTarget = path[..<slash].utf8.elementsEqual("targets".utf8)
    let place: FilePlace = isTarget ? .target(encoded(rest)) : .metadata(rest)
    switch try read(place, limit: limit, from: 0) {
    case .bytes(let bytes): return bytes
    case .absent: return nil
    case .tooLong(let fault), .failed(let fault):
      let trouble = MirrorTrouble(mirror: mirrors[0], file: path, cause: .fault(fault))
      throw RepositoryFault.unreachable(file: path, troubles: [trouble])
    }
  }
}

/// The path as it stands in a URL: letters, digits, `-._~` and slashes stay (RFC 3986, 2.3).
private func encoded(_ path: String) -> String {
  path.utf8.map { byte in
    let isPlain =
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._~/".utf8.contains(byte)
      }
    guard !isPlain else { return String(UnicodeScalar(byte)) }
    let hex = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "%0\(hex)" : "%\(hex)"
  }.joined()
}
