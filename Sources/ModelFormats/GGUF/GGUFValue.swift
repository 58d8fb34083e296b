/// A value of the metadata of a GGUF file, as far as it is kept.
struct GGUFValue: Equatable {
  enum Content: Equatable {
    case integer(Int)
    case text([UInt8])
    /// The elements, which stay in the file: their type, their count, and where they begin.
    case array(element: UInt32, count: Int, offset: Int)
    case other
  }

  /// The types that checks ask for, by their numbers in the file.
  enum TypeNumber {
    static let u16: UInt32 = 2
    static let u32: UInt32 = 4
    static let i32: UInt32 = 5
    static let f32: UInt32 = 6
    static let bool: UInt32 = 7
    static let string: UInt32 = 8
    static let array: UInt32 = 9
    static let last: UInt32 = 12
  }

  static let typeNames = [
    "u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64",
  ]

  let type: UInt32
  /// Where the value begins, behind its type.
  let offset: Int
  let content: Content

  var text: [UInt8]? { if case .text(let bytes) = content { bytes } else { nil } }
  var integer: Int? { if case .integer(let value) = content { value } else { nil } }

  static func name(_ type: UInt32) -> String {
    Int(type) < typeNames.count ? typeNames[Int(type)] : "type \(Int32(bitPattern: type))"
  }

  /// The bytes of a number; nil for strings, arrays, and what doesn't exist.
  static func size(_ type: UInt32) -> Int? {
    switch type {
    case 0, 1, 7: 1
    case 2, 3: 2
    case 4, 5, 6: 4
    case 10, 11, 12: 8
    default: nil
    }
  }
}
