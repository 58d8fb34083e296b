/// The stable names of what can be wrong with a file, for programs.
package enum FaultCode: String, Hashable, Sendable, CaseIterable {
  // No model at all, or another one.
  case empty, zeroFilled, htmlPage, lfsPointer, xmlError, jsonError, hubError, formatMismatch

  // The frame of the file.
  case badMagic, truncated, unsupportedVersion, newerVersion, wrongEndian, trailingBytes

  // What the file declares.
  case countTooLarge, tooLong, tooLarge, overflow, badType, badShape, badOffset, outOfBounds,
    badEncoding
  case duplicateKey, duplicateName, missingKey, unknownField
  case removedTensorType, unknownTensorType, unknownTokenizer, tokenizerMismatch

  // Files that belong together.
  case shardMismatch, roleMismatch, externalPathUnsafe, externalFileMissing
  case bundleIncomplete, bundleExtraFile

  // What the publisher says, and what a program may do.
  case unsafeCode, licenceConflict, formatFactsMismatch, declaredBelowDerived
}
