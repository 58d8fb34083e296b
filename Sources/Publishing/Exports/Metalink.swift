import Digests
package import Manifests

/// A Metalink 4 document of a release (RFC 5854): for each file its size, its SHA-256, its pieces and its mirrors.
///
/// The same release, mirrors and generator give the same bytes. All mirrors have one priority: whoever reads the document
/// may share the work among them, as `sealift install` does.
package struct Metalink: Equatable, Sendable {
  package let bytes: [UInt8]

  /// - Parameters:
  ///   - release: The release.
  ///   - mirrors: Further mirrors, which come first.
  ///   - pieces: The pieces of its files; a file without is verified as a whole.
  ///   - generator: The program and its version.
  /// - Throws: ``PublishingError/noMirrorToExport(_:)`` for a file without an http or https mirror, since each file
  ///   must have one.
  package init(
    _ release: Release,
    with mirrors: [MirrorTemplate] = [],
    pieces: EqualPieces,
    generator: String
  ) throws(PublishingError) {
    var places: [[String]] = []
    for file in release.files {
      let urls = release.urls(of: file, with: mirrors)
      guard !urls.isEmpty else { throw .noMirrorToExport(file.path) }
      places.append(urls)
    }
    var xml = XMLText()
    xml.write("metalink", ["xmlns": "urn:ietf:params:xml:ns:metalink"]) { xml in
      xml.write("generator", [:], generator)
      xml.write("published", [:], release.released.text)
      for (file, urls) in zip(release.files, places) {
        Self.write(file, of: release, pieces.rows[file.path], urls, to: &xml)
      }
    }
    bytes = Array(xml.text.utf8)
  }

  private static func write(
    _ file: FileEntry,
    of release: Release,
    _ pieces: EqualPieces.Row?,
    _ urls: [String],
    to xml: inout XMLText
  ) {
    xml.write("file", ["name": file.path.text]) { xml in
      xml.write("identity", [:], release.model.text)
      xml.write("version", [:], release.version.text)
      xml.write("size", [:], String(file.size))
      xml.write("hash", ["type": "sha-256"], file.sha256.hex)
      if let pieces {
        xml.write("pieces", ["length": String(pieces.length), "type": "sha-256"]) { xml in
          for digest in pieces.digests { xml.write("hash", [:], digest.hex) }
        }
      }
      for url in urls { xml.write("url", ["priority": "1"], url) }
    }
  }
}
