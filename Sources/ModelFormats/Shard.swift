/// The place of a file in a set of shards.
package struct Shard: Equatable, Sendable {
  /// The number of this file, from 0 on.
  package let index: Int
  /// How many files the set has.
  package let count: Int
  /// How many tensors all files of the set have together; nil if the file doesn't say.
  package let tensors: Int?
  /// How many tensors this file has.
  package let ownTensors: Int
}
