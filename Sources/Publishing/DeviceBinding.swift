import Manifests
import ModelFormats

/// What the publisher states of the device that files of a release are bound to.
struct DeviceBinding {
  /// The one device of all such files; nil if no file is bound to any.
  private(set) var device: RuntimeRequirement?
  /// What the publisher states besides.
  let others: [RuntimeRequirement]

  /// Finds the statements about the version and the device of each bound file, which must be exact.
  ///
  /// A release is bound to one device, since a client must have all that the release demands.
  /// - Throws: ``PublishingError/unknownRuntime(_:)`` for what is not stated, or not exactly, and
  ///   ``PublishingError/severalDevices(_:)`` for a device that is stated more than once.
  init(of files: [FileInspection], stated: [RuntimeRequirement]) throws(PublishingError) {
    var names: Set<RuntimeName> = []
    var missing: [String] = []
    for file in files {
      guard let binding = file.report.binding else { continue }
      names.insert(binding.device)
      for name in [binding.runtime, binding.device] {
        let statement = stated.first { $0.name == name && $0.scheme == .exact }
        if statement == nil { missing.append("the exact \(name) that \(file.path) was built for") }
        if name == binding.device { device = device ?? statement }
      }
    }
    guard missing.isEmpty else { throw .unknownRuntime(missing) }
    let devices = stated.filter { names.contains($0.name) }
    guard devices.count == names.count else { throw .severalDevices(devices) }
    others = stated.filter { !names.contains($0.name) }
  }
}
