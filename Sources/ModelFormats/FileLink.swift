/// What one file of a release demands of another.
package enum FileLink: Equatable, Sendable {
  /// Bytes of tensors that lie in another file.
  ///
  /// `location` is as the file gives it, relative to the folder of the file, and already known to be
  /// safe; `end` is the least size that the other file must have.
  case external(location: String, end: UInt64)
  /// Bytes of tensors in the file of the same name with another extension, up to `end`.
  case sibling(fileExtension: String, end: UInt64)
  /// Records of weights at these places of another file; `location` as with `external`.
  case blobs(location: String, offsets: [UInt64])
  /// The file is one of a set that is loaded together.
  case shard(Shard)
}
