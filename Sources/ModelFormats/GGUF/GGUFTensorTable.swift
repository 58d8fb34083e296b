/// The table of tensors of a GGUF file: each row checked, and all of them together.
struct GGUFTensorTable {
  /// How many tensors have each type.
  private(set) var typeCounts: [Int32: Int] = [:]
  /// How many numbers the tensors have together.
  private(set) var elementCount: UInt64 = 0
  /// How many rows the embedding has; nil without `token_embd.weight`.
  private(set) var embeddingRows: UInt64?
  /// Where the data of the tensors begins in the file.
  private(set) var dataStart = 0

  private let alignment: UInt64
  /// Where the next tensor must begin; nil behind one whose size is unknown.
  private var nextOffset: UInt64? = 0
  /// The end of the last tensor, without padding.
  private var dataEnd: UInt64 = 0
  private var ledger = NameLedger()
  /// Where each tensor begins, from the start of the data on.
  private var starts: [UInt64] = []

  /// Reads and checks the whole table; `reader` stands behind the keys.
  init(
    _ prologue: GGUFPrologue,
    alignment: UInt64,
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    self.alignment = alignment
    for _ in 0..<prologue.tensorCount {
      let tensor = try GGUFTensor(&reader, isWide: prologue.isWide)
      try take(tensor, into: &report)
    }
    try refuseRepetition(&reader, prologue.isWide)
    try checkData(&reader, prologue, into: &report)
  }

  private mutating func take(
    _ tensor: GGUFTensor,
    into report: inout FormatReport
  ) throws(FormatStop) {
    ledger.add(tensor.name, at: tensor.place)
    if tensor.dimensions.contains(0) {
      report.warn(
        .badShape,
        at: tensor.place,
        tensor.subject,
        expected: "dimensions of at least 1",
        found: "a dimension of 0"
      )
    }
    typeCounts[tensor.type, default: 0] += 1
    elementCount = elementCount.addingReportingOverflow(tensor.elementCount).partialValue
    if tensor.name.elementsEqual("token_embd.weight".utf8) {
      embeddingRows = tensor.dimensions[1]
    }
    let size = try size(of: tensor, into: &report)
    try place(tensor, size)
  }

  /// The bytes of the tensor; nil for a type that this program doesn't know.
  private func size(
    of tensor: GGUFTensor,
    into report: inout FormatReport
  ) throws(FormatStop) -> UInt64? {
    let typePlace = tensor.offsetPlace - 4
    let known = LlamaCppTable.tensorTypes[tensor.type]
    guard tensor.type >= 0 else {
      throw .structure(
        .badType,
        at: typePlace,
        tensor.subject,
        expected: "a type of at least 0",
        found: String(tensor.type)
      )
    }
    if Self.isRemoved(tensor.type) {
      throw .structure(
        .removedTensorType,
        at: typePlace,
        tensor.subject,
        expected: "a type that runtimes still load",
        found: "type \(tensor.type)\(known.map { " (\($0.name))" } ?? "")"
      )
    }
    guard let known, let block = known.size else {
      report.leaveUnverified(
        .unknownTensorType,
        at: typePlace,
        tensor.subject,
        expected: "a type that this program knows",
        found: "type \(tensor.type)"
      )
      return nil
    }
    if tensor.type == 9 || tensor.type == 15 {
      report.warn(
        .badType,
        at: typePlace,
        tensor.subject,
        expected: "a type for files",
        found: "\(known.name), which runtimes keep for themselves"
      )
    }
    return try Self.size(of: tensor, block)
  }

  /// Types that were dropped: 4 and 5 before this format, the others soon after they came.
  private static func isRemoved(_ type: Int32) -> Bool {
    switch type {
    case 4, 5, 31...33, 36...38: true
    default: false
    }
  }

  private static func size(
    of tensor: GGUFTensor,
    _ block: TensorType.BlockSize
  ) throws(FormatStop) -> UInt64 {
    let row = tensor.dimensions[0]
    guard row % block.elements == 0 else {
      throw .structure(
        .badShape,
        at: tensor.place,
        tensor.subject,
        expected: "rows of a multiple of \(block.elements) elements",
        found: String(row)
      )
    }
    // The count of elements is below 2^63, and no type takes more than 8 bytes an element.
    let (bytes, overflowed) = (tensor.elementCount / block.elements)
      .multipliedReportingOverflow(by: block.bytes)
    guard !overflowed, bytes <= UInt64(Int64.max) else {
      throw .structure(
        .overflow,
        at: tensor.place,
        tensor.subject,
        expected: "fewer than 2^63 bytes",
        found: "\(tensor.elementCount) elements"
      )
    }
    return bytes
  }

  /// Checks that the tensor begins where the one before it ends, rounded up to the alignment.
  private mutating func place(_ tensor: GGUFTensor, _ size: UInt64?) throws(FormatStop) {
    if let nextOffset, tensor.dataOffset != nextOffset {
      throw .structure(
        .badOffset,
        at: tensor.offsetPlace,
        tensor.subject,
        expected: "the offset \(nextOffset)",
        found: String(tensor.dataOffset)
      )
    }
    guard tensor.dataOffset % alignment == 0, tensor.dataOffset >= dataEnd else {
      throw .structure(
        .badOffset,
        at: tensor.offsetPlace,
        tensor.subject,
        expected: "a multiple of \(alignment) from \(dataEnd) on",
        found: String(tensor.dataOffset)
      )
    }
    starts.append(tensor.dataOffset)
    let (end, overflowed) = tensor.dataOffset.addingReportingOverflow(size ?? 0)
    let (padded, paddingOverflowed) = end.addingReportingOverflow((0 &- end) & (alignment - 1))
    guard !overflowed, !paddingOverflowed, padded <= UInt64(Int64.max) else {
      throw .structure(
        .overflow,
        at: tensor.offsetPlace,
        tensor.subject,
        expected: "an end below 2^63",
        found: "\(size ?? 0) bytes from \(tensor.dataOffset) on"
      )
    }
    dataEnd = end
    nextOffset = size == nil ? nil : padded
  }

  private mutating func refuseRepetition(
    _ reader: inout FormatReader,
    _ isWide: Bool
  ) throws(FormatStop) {
    let repetition = try ledger.repetition { place throws(FormatStop) in
      try reader.within(place..<reader.size) { reader throws(FormatStop) in
        try GGUFMetadata.bytes(
          &reader,
          isWide,
          limit: GGUFTensor.maximumNameLength,
          "the name of a tensor"
        )
      }
    }
    guard let repetition else { return }
    throw .structure(
      .duplicateName,
      at: repetition,
      "the name of a tensor",
      expected: "a name of its own",
      found: "one that stands before"
    )
  }
}

// MARK: - Data

extension GGUFTensorTable {
  /// Checks that the data of all tensors lies in the file, and what follows it.
  private mutating func checkData(
    _ reader: inout FormatReader,
    _ prologue: GGUFPrologue,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let header = UInt64(reader.offset)
    let start = prologue.tensorCount == 0 ? header : header + ((0 &- header) & (alignment - 1))
    let (end, overflowed) = start.addingReportingOverflow(dataEnd)
    guard !overflowed, end <= UInt64(reader.size) else {
      throw reader.truncated(needed: overflowed ? .max : end)
    }
    dataStart = Int(start)
    for offset in starts { report.edges.append(dataStart + Int(offset)) }
    guard nextOffset != nil else { return }
    let extra = reader.size - Int(end)
    guard extra > 0 else { return }
    if extra < alignment {
      try reader.seek(to: end)
      guard try reader.take(extra).contains(where: { $0 != 0 }) else { return }
    }
    report.warn(
      .trailingBytes,
      at: Int(end),
      "the end of the data",
      expected: "the end of the file",
      found: "\(extra) bytes more"
    )
  }
}
