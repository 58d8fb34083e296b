package import CommandLineKit
package import ModelFormats
package import Verification

extension DiagnosticKind {
  /// The word for what is wrong with the content of a file; JSON says the same one as `code`.
  package init(_ fault: FormatFault) {
    self =
      switch fault {
      case .empty: .empty
      case .zeroFilled: .zeroFilled
      case .htmlPage: .htmlPage
      case .lfsPointer: .lfsPointer
      case .xmlError: .xmlError
      case .jsonError: .jsonError
      case .hubError: .hubError
      case .formatMismatch: .formatMismatch
      case .truncated: .truncated
      case .bundleIncomplete: .bundleIncomplete
      case .badPackageManifest: .badEncoding
      case .structure(let fault), .unverified(let fault): Self(fault.code)
      }
  }

  /// The word for how a file differs from its manifest.
  package init(_ finding: FileFinding) {
    self =
      switch finding.problem {
      case .missing: .missing
      case .notAFile: .wrongType
      case .wrongSize(_, 0): .empty
      case .wrongSize(let expected, let found): found < expected ? .truncated : .wrongSize
      case .wrongChunks, .wrongDigest: .modified
      case .pointer: .lfsPointer
      case .contradiction: .contradiction
      case .notAModel(let problem): Self(problem.fault)
      case .unreadable: .unreadable
      case .extra: .extra
      }
  }
}
