extension Span<UInt8> {
  /// Whether the first bytes are those of `prefix`.
  func starts(with prefix: some Collection<UInt8>) -> Bool {
    guard prefix.count <= count else { return false }
    var index = 0
    for byte in prefix {
      if self[index] != byte { return false }
      index += 1
    }
    return true
  }

  /// Whether the bytes are those of `other`.
  func equals(_ other: some Collection<UInt8>) -> Bool {
    count == other.count && starts(with: other)
  }

  /// Copies the bytes, which must not be secret.
  var array: [UInt8] {
    [UInt8](capacity: count) { output in
      for index in indices { output.append(self[index]) }
    }
  }

  /// Whether the text begins with the mark of UTF-8 or UTF-16.
  var startsWithByteOrderMark: Bool {
    starts(with: [0xef, 0xbb, 0xbf]) || starts(with: [0xff, 0xfe]) || starts(with: [0xfe, 0xff])
  }
}
