/// One file in a zip archive, whose frame was checked.
struct ZipEntry: Equatable {
  enum Method: Equatable {
    case stored, deflated
    case other(UInt16)

    init(_ number: UInt16) {
      switch number {
      case 0: self = .stored
      case 8: self = .deflated
      default: self = .other(number)
      }
    }
  }

  let name: [UInt8]
  let method: Method
  /// The count of bytes once unpacked.
  let size: UInt64
  /// Where its bytes lie, packed or not.
  let data: Range<Int>

  /// The name for messages.
  var text: String { String(decoding: name, as: UTF8.self) }

  /// The parts of the name between slashes.
  var parts: [ArraySlice<UInt8>] { name.split(separator: UInt8(ascii: "/")) }

  /// Whether the name goes on like this behind the first folder, as in `archive/data.pkl`.
  func hasPath(_ path: String) -> Bool {
    guard let slash = name.firstIndex(of: UInt8(ascii: "/")) else { return false }
    return name[(slash + 1)...].elementsEqual(path.utf8)
  }

  func hasSuffix(_ suffix: String) -> Bool {
    name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
