/// A table of a flatbuffer, whose frame lies inside the file.
struct FlatTable: Equatable {
  let offset: Int
  /// The count of bytes that it takes, with the offset to its list of fields.
  let size: Int
  /// Where the list of fields begins, and how many bytes it takes.
  let fields: Int
  let fieldsSize: Int
}

/// A vector of a flatbuffer, whose elements lie inside the file.
struct FlatVector: Equatable {
  /// Where the first element is.
  let offset: Int
  let count: Int
}
