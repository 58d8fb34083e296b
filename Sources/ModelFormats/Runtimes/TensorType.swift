/// A type of numbers in tensors.
struct TensorType: Hashable {
  let name: String
  let builds: BuildRange
  /// How many elements are packed together, and into how many bytes; nil for types that are gone.
  let size: BlockSize?

  struct BlockSize: Hashable {
    let elements: UInt64
    let bytes: UInt64
  }

  init(_ name: String, _ builds: BuildRange) {
    (self.name, self.builds, size) = (name, builds, nil)
  }

  init(_ name: String, _ builds: BuildRange, block: UInt64, bytes: UInt64) {
    self.name = name
    self.builds = builds
    size = BlockSize(elements: block, bytes: bytes)
  }
}
