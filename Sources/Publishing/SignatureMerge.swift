package import Manifests
package import Signatures
import SystemFiles

/// Manifests of one release, signed apart from each other, that become one.
package struct SignatureMerge: Sendable {
  /// The manifest with the signatures of all.
  package let envelope: Envelope
  /// How many signers are new where the result is written to.
  package let added: Int

  private let target: ManifestFile?
  private let output: String

  /// Reads the manifests at `paths` and puts their signatures together.
  ///
  /// - Parameters:
  ///   - paths: At least one; a manifest that stands at `output` already is merged, too.
  ///   - output: Where the result goes.
  ///   - keys: The keys of which each signature must be by one; nil if nothing is to be verified.
  /// - Throws: ``PublishingError/notMerged(path:problem:)``, ``PublishingError/noManifest(_:_:)``,
  ///   ``PublishingError/nothingThere(_:)`` and `SystemError`.
  package init(
    reading paths: [String],
    into output: String,
    verifyingWith keys: [PublicKey]?
  ) throws {
    self.output = output
    let (parent, name) = splitPath(output)
    let isThere = try Folder(path: parent).status(of: name) != nil
    let target = isThere ? try ManifestFile(reading: output) : nil
    var files = try paths.filter { !$0.utf8.elementsEqual(output.utf8) }.map {
      try ManifestFile(reading: $0)
    }
    if let target { files.insert(target, at: 0) }
    guard let first = files.first else { throw PublishingError.nothingThere(output) }
    _ = try first.release()
    var known = 0
    do throws(MergeFailure) {
      if let target {
        known = try target.envelope.merging([], verifyingWith: keys).signatures.count
      }
      envelope = try first.envelope.merging(
        files.dropFirst().map(\.envelope),
        verifyingWith: keys
      )
    } catch {
      throw PublishingError.notMerged(path: files[error.index].path, problem: error.problem)
    }
    self.target = target
    added = envelope.signatures.count - known
  }

  /// Writes the result so that readers, and a crash, see the old manifest or the new one.
  ///
  /// A manifest that has all signatures already is left as it is.
  /// - Throws: As ``ManifestFile/replace(with:)`` and ``ManifestFile/create(_:at:)`` do.
  package func write() throws {
    guard let target else { return try ManifestFile.create(envelope, at: output) }
    if target.envelope != envelope { try target.replace(with: envelope) }
  }
}
