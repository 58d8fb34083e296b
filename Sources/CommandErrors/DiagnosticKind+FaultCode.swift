package import CommandLineKit
package import ModelFormats

extension DiagnosticKind {
  /// The word of a fault in the structure of a file, which is the same in both lists.
  package init(_ code: FaultCode) {
    self =
      switch code {
      case .empty: .empty
      case .zeroFilled: .zeroFilled
      case .htmlPage: .htmlPage
      case .lfsPointer: .lfsPointer
      case .xmlError: .xmlError
      case .jsonError: .jsonError
      case .hubError: .hubError
      case .formatMismatch: .formatMismatch
      case .badMagic: .badMagic
      case .truncated: .truncated
      case .unsupportedVersion: .unsupportedVersion
      case .newerVersion: .newerVersion
      case .wrongEndian: .wrongEndian
      case .trailingBytes: .trailingBytes
      case .countTooLarge: .countTooLarge
      case .tooLong: .tooLong
      case .tooLarge: .tooLarge
      case .overflow: .overflow
      case .badType: .badType
      case .badShape: .badShape
      case .badOffset: .badOffset
      case .outOfBounds: .outOfBounds
      case .badEncoding: .badEncoding
      case .duplicateKey: .duplicateKey
      case .duplicateName: .duplicateName
      case .missingKey: .missingKey
      case .unknownField: .unknownField
      case .removedTensorType: .removedTensorType
      case .unknownTensorType: .unknownTensorType
      case .unknownTokenizer: .unknownTokenizer
      case .tokenizerMismatch: .tokenizerMismatch
      case .shardMismatch: .shardMismatch
      case .roleMismatch: .roleMismatch
      case .externalPathUnsafe: .externalPathUnsafe
      case .externalFileMissing: .externalFileMissing
      case .bundleIncomplete: .bundleIncomplete
      case .bundleExtraFile: .bundleExtraFile
      case .unsafeCode: .unsafeCode
      case .licenceConflict: .licenceConflict
      case .formatFactsMismatch: .formatFactsMismatch
      case .declaredBelowDerived: .declaredBelowDerived
      }
  }
}
