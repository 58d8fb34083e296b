/// The tables of a flatbuffer format with the fields that lead elsewhere, so that all of a file can be verified.
protocol FlatSchema: Hashable, Sendable {
  var fields: [FlatField<Self>] { get }
}

/// One field of a table: its place in the list of fields, and what it is.
struct FlatField<Schema: FlatSchema>: Sendable {
  enum Kind: Sendable {
    /// A number of so many bytes.
    case number(Int)
    /// Numbers of so many bytes each.
    case numbers(Int)
    case text
    case texts
    case table(Schema)
    case tables(Schema)
    /// A table of one of several kinds, told by a byte two bytes before in the list; only its frame is verified.
    case anyTable
  }

  let slot: Int
  let kind: Kind

  init(_ slot: Int, _ kind: Kind) {
    self.slot = slot
    self.kind = kind
  }
}

extension FlatBufferWalk {
  /// Verifies a table and all that it leads to.
  mutating func verify<Schema: FlatSchema>(
    _ table: FlatTable,
    as schema: Schema,
    depth: Int = 0,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    guard depth <= Self.maximumDepth else {
      throw .structure(
        .countTooLarge,
        at: table.offset,
        "the tables inside each other",
        expected: "at most \(Self.maximumDepth)",
        found: "more"
      )
    }
    for field in schema.fields where field.slot + 2 <= table.fieldsSize {
      try verify(field, of: table, "\(schema)", depth: depth, &reader)
    }
  }

  private mutating func verify<Schema: FlatSchema>(
    _ field: FlatField<Schema>,
    of table: FlatTable,
    _ name: String,
    depth: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let slot = field.slot
    let subject = "field \(slot) of a \(name)"
    switch field.kind {
    case .number(let size): _ = try place(of: slot, size: size, in: table, &reader)
    case .numbers(let size): _ = try vector(slot, of: size, in: table, subject, &reader)
    case .text: _ = try text(slot, in: table, subject, &reader)
    case .texts:
      guard let texts = try vector(slot, of: 4, in: table, subject, &reader) else { return }
      try verify(texts: texts, subject, &reader)
    case .table(let inner):
      guard let inside = try self.table(slot, in: table, subject, &reader) else { return }
      try verify(inside, as: inner, depth: depth + 1, &reader)
    case .tables(let inner):
      guard let tables = try vector(slot, of: 4, in: table, subject, &reader) else { return }
      for index in 0..<tables.count {
        let inside = try self.table(referredAt: tables.offset + 4 * index, subject, &reader)
        try verify(inside, as: inner, depth: depth + 1, &reader)
      }
    case .anyTable:
      guard try u8(slot - 2, in: table, &reader) != 0 else { return }
      _ = try self.table(slot, in: table, subject, &reader)
    }
  }
}
