import Manifests
import ModelStore
import SystemFiles

/// The active version of a model, leased: it stays whole and where it is until this value ends.
///
/// Whatever becomes active meanwhile, and whatever is collected, this version is not touched. The kernel takes the lease
/// back when the process ends, however that happens.
public struct ActiveModel: ~Copyable, Sendable {
  /// The model.
  public let model: String
  /// The version.
  public let version: String
  /// The absolute path of the folder with its files.
  public let path: String
  private let holder: LeaseHolder

  init(_ holder: LeaseHolder) {
    model = holder.leased.record.model.text
    version = holder.leased.record.active.version.text
    path = holder.leased.filesPath
    self.holder = holder
  }

  /// The descriptor of the open folder with the files, for `openat`; it is closed with this value.
  public var descriptor: Int32 { holder.leased.files.descriptor }

  /// Whether garbage collection is told of the use; it cannot be where the store may not be written and has no lease.
  public var isLeased: Bool { holder.leased.lease.isHeld }

  /// Gives the lease back, which is held until here even though nothing else uses the value.
  public consuming func release() {}
}

/// Brings a lease, which has one owner, out of the task that took it.
final class LeaseHolder: Sendable {
  let leased: LeasedModel

  init(_ leased: consuming LeasedModel) { self.leased = leased }
}
