package import Manifests

/// What a file was built for, and what no byte of it tells: exactly one version of a runtime, on one kind of device.
package struct RuntimeBinding: Hashable, Sendable {
  package let runtime: RuntimeName
  /// What a client states of its device as it states a runtime.
  package let device: RuntimeName

  /// An engine of TensorRT; the compute capability is that of the processor, such as `8.6`.
  static let tensorRT = RuntimeBinding(
    runtime: RuntimeName(known: "tensorrt"),
    device: RuntimeName(known: "compute-capability")
  )
}
