/// The words that say what a diagnostic is about, finer than exit codes: the one closed list.
///
/// Programs read them as `kind` in JSON, people hand them to `explain`. A word never changes its meaning. To add one,
/// write a case here, under its topic, and its page among the ``KindPage`` lists of the tools; tests name a kind that
/// lacks a page, and one that nothing uses.
package enum DiagnosticKind: String, CaseIterable, Sendable {
  // The words of the exit codes, for what needs none of its own.
  case done, internalError, usage, notFound, network, wrongBytes, notAccepted, busy, localFailure,
    unusable, findings, interrupted

  // Output, and this machine.
  case outputFailed, brokenHashing, badClock

  // Files and folders.
  case noSuchFile, noFolder, noFile, noSpace, link, otherFileSystem, fileChanged, unreadable,
    ownership

  // Keys and passphrases.
  case badKey, keyThere, plainKey, otherPublicKey, exposedKey, foreignKey, keyChanged,
    unsupportedEncryption
  case openSSHPassphrase, costlyKey, weakEncryption, openFolder, leftOver, windowsLineEnd
  case noPassphrase, passphraseNeeded, emptyPassphrase, wrongPassphrase, longPassphrase,
    passphrasesDiffer, noTerminal

  // Signatures and manifests.
  case noManifest, badManifest, noRelease, badSignature, alreadySigned, tooManySignatures,
    signedManifestThere, otherFileThere, manifestChanged, manifestInsideRelease
  case otherPayload, unverified, noSignature, outputIsInput

  // Reports of audits.
  case noReport, badReport, untrustedReport, brokenChain

  // Signers other than key files.
  case badSignerCommand, noSuchProgram, signerFailed, badSignerOutput, unexpectedKey
  case noAgent, silentAgent, badAgent, agentRefused, notInAgent, unfitKey, tooLongForAgent

  // Trust.
  case untrustedSigner, brokenSignature, noCurrentSigner, noRule, tooFewSigners, withdrawn, expired
  case downgrade, replaced, unknownFloor
  case policy, configuration, badThreshold, repeatedKey, noSuchRule, noSuchKey,
    exportKeyInRule, notWithdrawn
  case unmetRule, noLongerAccepted, unknownAcceptance, otherRulesChanged

  // Repositories.
  case reserved, badRepository, repositoryNameTaken, overlappingRepositories, noSuchRepository
  case noFittingRelease, otherRoot, badEntry, badMetadata, metadataRollback, metadataExpired

  // What goes into a release.
  case licenseNotSPDX
  case noFiles, unfitFiles, specialFile, hiddenFile, badName, emptyFolder, runsCode
  case noMirror, mirrorOfOneFile, mutableMirror, publishedSecret
  case declaredInOtherScheme, runtimesExclude, unknownRuntime, severalRuntimes

  // The content of a file: the words of `ModelFormats.FaultCode`.
  case empty, zeroFilled, htmlPage, lfsPointer, xmlError, jsonError, hubError, formatMismatch
  case badMagic, truncated, unsupportedVersion, newerVersion, wrongEndian, trailingBytes
  case countTooLarge, tooLong, tooLarge, overflow, badType, badShape, badOffset, outOfBounds,
    badEncoding
  case duplicateKey, duplicateName, missingKey, unknownField
  case removedTensorType, unknownTensorType, unknownTokenizer, tokenizerMismatch
  case shardMismatch, roleMismatch, externalPathUnsafe, externalFileMissing, bundleIncomplete,
    bundleExtraFile
  case unsafeCode, licenceConflict, formatFactsMismatch, declaredBelowDerived

  // Files against their manifest.
  case wrongType, wrongSize, modified, contradiction, extra, notAModel

  // Mirrors and the network.
  case offline, transient, throttled, missing, auth, certificate, integrity
  case protocolViolation = "protocol"
  case noRanges, plainHTTP, exposedToken, noRepository

  // What a check of mirrors finds, beside some of the above.
  case unreachable, tls, wrongStatus, redirect, contentCoding, cut, stale, wrongChunk

  // Repositories, for those who publish them.
  case repositoryThere, notARepository, brokenRepository, publishedMeanwhile, changePending,
    nothingPending
  case otherRelease, notListed, listedElsewhere, withdrawnForGood, unfitPath, noTrustPolicy,
    missingSource
  case keyInRole, keyNotInRole, missingSignatures, badSignatureText, singleKey, noSpareKey,
    partlyReplaced
  case badTarget, otherManifestListed, refusedManifest, unsignedPolicy, missingBlob, wrongBlob

  // Exports for other tools.
  case exportThere, unsigned, sharedKey, noPieces

  // Whether an installed version can be used.
  case runtime, format, damagedOnDisk, damagedVersion, otherManifest, markedBad, probeTimeout,
    noVersion

  // Versions in a store.
  case noSuchModel, noSuchVersion, ambiguousVersion, nothingActive, noPrevious, noFallback,
    isActive,
    isFallback, inUse, changedMeanwhile, noLease

  // A store, and damage to it.
  case notAStore, severalDevices, notShared, storeBusy, uselessLocks, noLocks, networkFileSystem,
    oddEntry
  case damagedRecord, damagedMarks, damagedFloor, swapped, changedWhileRead
  case rollBack, endTrial, discard, writeRecord

  // What an audit finds, beside some of the above: the words of `Auditing.AuditVerdict`.
  case wrongMode, wrongOwner, hardlinkedElsewhere, unstableRead
  case manifestInvalid, signatureUntrusted, keyRevoked, keyExpired, manifestWithdrawn,
    expiredManifest, belowFloor
  case runtimeTooOld, runtimeUnsuitable, runtimeUnknown, recordMismatch, recordDamaged,
    unregisteredVersion, stampMismatch, changedDuringAudit, notChecked
  case auditUnfinished
}

extension DiagnosticKind {
  /// The word of an exit code.
  package init(_ code: ExitCode) {
    self =
      switch code {
      case .done: .done
      case .internalError: .internalError
      case .usage: .usage
      case .notFound: .notFound
      case .network: .network
      case .wrongBytes: .wrongBytes
      case .notAccepted: .notAccepted
      case .busy: .busy
      case .localFailure: .localFailure
      case .unusable: .unusable
      case .findings: .findings
      case .interrupted: .interrupted
      }
  }
}
