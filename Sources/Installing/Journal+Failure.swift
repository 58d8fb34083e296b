import ModelStore
import SystemFiles
import Transfers

extension Journal.Failure {
  /// The word for what ended an install; nil for one that was interrupted, which is none.
  init?(_ error: any Error) {
    switch error {
    case is CancellationError: return nil
    case InstallError.unusable, InstallError.runtime: self = .unusable
    case InstallError.damagedOnDisk: self = .wrongBytes
    case StoreError.notEnoughSpace, StoreError.notEnoughInodes: self = .noSpace
    case let error as SystemError: self = error.isDiskFull ? .noSpace : .local
    case let error as FetchError:
      switch error.kind {
      case .cancelled: return nil
      case .integrity: self = .wrongBytes
      case .local(let error): self = error.isDiskFull ? .noSpace : .local
      case .network, .offline, .auth, .protocolViolation, .missing: self = .network
      }
    default: self = .local
    }
  }
}
