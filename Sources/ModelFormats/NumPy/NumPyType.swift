/// The type of the elements of an array, as `descr` gives it.
struct NumPyType: Equatable {
  /// The text of the type, such as `<f4`; of a record, the texts of its fields.
  let name: String
  /// The bytes of an element.
  let size: UInt64
  /// Whether elements are Python objects, which lie in the file as a pickle.
  let isObject: Bool

  /// Reads a type; nil for one that numpy does not write.
  init?(_ literal: PythonLiteral) {
    switch literal {
    case .text(let text): self.init(text)
    case .sequence(let fields): self.init(fields: fields)
    default: return nil
    }
  }

  /// Reads an order of bytes, a kind and a size, such as `<f4` or `<M8[ns]`.
  private init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let order = rest.first, "<>|=".utf8.contains(order) { rest.removeFirst() }
    guard let kind = rest.popFirst() else { return nil }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    let unit = rest[digits.endIndex...]
    let isTime = kind == UInt8(ascii: "M") || kind == UInt8(ascii: "m")
    guard
      unit.isEmpty || isTime && unit.first == UInt8(ascii: "[") && unit.last == UInt8(ascii: "]")
    else { return nil }
    name = text
    isObject = kind == UInt8(ascii: "O")
    if isObject {
      size = 8
      return
    }
    guard let number = UInt64(String(decoding: digits, as: UTF8.self)), number <= 1 << 31 else {
      return nil
    }
    switch kind {
    case UInt8(ascii: "U"): size = number * 4
    case _ where "biufcSaVMm?".utf8.contains(kind): size = number
    default: return nil
    }
  }

  /// Reads the fields of a record: a name, or a title and a name, a type, and perhaps a shape.
  private init?(fields: [PythonLiteral]) {
    var size: UInt64 = 0
    var names: [String] = []
    var isObject = false
    for field in fields {
      guard case .sequence(let parts) = field, (2...3).contains(parts.count),
        let type = NumPyType(parts[1])
      else { return nil }
      var count: UInt64 = 1
      if parts.count == 3 {
        guard let elements = Self.elementCount(parts[2]) else { return nil }
        count = elements
      }
      let (bytes, overflowed) = type.size.multipliedReportingOverflow(by: count)
      let (sum, carried) = size.addingReportingOverflow(bytes)
      guard !overflowed, !carried else { return nil }
      size = sum
      names.append(type.name)
      isObject = isObject || type.isObject
    }
    self.name = "record of \(names.joined(separator: ", "))"
    self.size = size
    self.isObject = isObject
  }

  /// The product of the dimensions; nil for what is no shape, or has 2^63 elements or more.
  static func elementCount(_ shape: PythonLiteral) -> UInt64? {
    if case .integer(let count) = shape { return count <= UInt64(Int64.max) ? count : nil }
    guard case .sequence(let dimensions) = shape else { return nil }
    var product: UInt64 = 1
    for dimension in dimensions {
      guard case .integer(let count) = dimension else { return nil }
      let (next, overflowed) = product.multipliedReportingOverflow(by: count)
      guard !overflowed, next <= UInt64(Int64.max) else { return nil }
      product = next
    }
    return product
  }
}
