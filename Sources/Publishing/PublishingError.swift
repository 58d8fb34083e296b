package import Digests
package import Manifests
package import Signatures

/// Why a release is not sealed, or a manifest not written.
package enum PublishingError: Error, Equatable, Sendable {
  // What is to be sealed.

  /// Nothing stands at this path, which a person gave.
  case nothingThere(String)
  /// A folder was given together with other paths; a release is made of files or of one folder.
  case folderAmongOthers(String)
  /// The folder has no file in it.
  case emptyRelease(folder: String)
  /// These files or folders, each for its own reason, can be in no release.
  case unfit([UnfitFile])
  /// The file was written to, or replaced, while it was read.
  case changedWhileRead(RelativePath)
  /// A mirror has the same URL for every file, and there are several.
  case mirrorOfOneFile(MirrorTemplate, files: Int)
  /// A mirror's URL has parameters that look like secrets, and warnings refuse.
  case secretInMirror(MirrorTemplate, parameters: [String])

  // What was stated about it.

  /// The text is not `NAME:MIN` or `NAME:SCHEME:MIN`, or does not say how versions of the runtime compare.
  case badRuntime(String)
  /// The publisher states a runtime from below the version that the bytes need.
  case runtimeTooLow(stated: RuntimeRequirement, derived: RuntimeRequirement)
  /// The publisher states versions of a runtime that count otherwise than those that the bytes need.
  case runtimeCountsOtherwise(stated: RuntimeRequirement, derived: RuntimeRequirement)
  /// No version of one runtime satisfies all of these.
  case runtimesExclude([RuntimeNeed])
  /// No minimum is known for these names in the files, and the publisher states none.
  case unknownRuntime([String])
  /// The publisher states several devices for files that are bound to one.
  case severalDevices([RuntimeRequirement])
  /// The text is not `NAME:SIZE:SHA256`.
  case badDeclaration(String)
  /// The variable `SOURCE_DATE_EPOCH` is not a count of seconds within the years 0000 to 9999.
  case badSourceDate(String)

  // Where the manifest goes.

  /// The manifest would lie in the folder that it describes, and be part of the next release.
  case manifestInsideRelease(manifest: String, folder: String)
  /// Somebody has signed another manifest at this path: a release is immutable.
  case signedManifestThere(String, signatures: Int)
  /// Something stands at this path that is no manifest, and is not overwritten.
  case otherFileThere(String)
  /// What stands at this path is no manifest.
  case noManifest(String, ManifestError)
  /// The manifest at this path is not the one any more that was read.
  case manifestChanged(String)
  /// The result of an export would take the place of the manifest that it is made from.
  case outputIsInput(String)
  /// Something else than what is to be written stands at this path, and is not replaced.
  case otherOutputThere(String)
  /// The signatures of the manifest at this path can't be put together with those of the others.
  case notMerged(path: String, problem: SigningProblem)

  // What is exported for other tools.

  /// What stands at this path can't be had back from a manifest, so an export never replaces it.
  case keptDocumentThere(String, KeptDocument)
  /// Another file stands at this path, and is not replaced unasked.
  case exportThere(String)
  /// No mirror of this file can be written for other tools, which read http and https URLs.
  case noMirrorToExport(RelativePath)
  /// The file that was to be described is not the one of the manifest.
  case otherBytes(RelativePath, expected: SHA256Digest, found: SHA256Digest)
  /// The text is no name of a signer that other tools take.
  case badIdentity(String)

  // Keys.

  /// The name of a key is one file name without an ending.
  case badKeyName(String)
  /// A key file stands at this path already, and is never overwritten.
  case keyThere(String)
  /// The public key beside a private key file is another key's.
  case otherPublicKey(path: String, expected: Fingerprint, found: Fingerprint)
}
