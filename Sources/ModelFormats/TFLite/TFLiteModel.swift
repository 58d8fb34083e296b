import Manifests

/// What the parts of a TensorFlow Lite model say of each other, once each lies inside the file.
struct TFLiteModel {
  private static let customCode: Int32 = 32
  private static let placeholderCode: Int32 = 127
  /// How many names of custom operators and files are kept.
  private static let maximumNames = 4_096
  private static let maximumExternalBuffers = 1 << 20

  private(set) var report: FormatReport
  private var walk: FlatBufferWalk
  private var buffers = FlatVector(offset: 0, count: 0)
  private var operatorCount = 0
  /// The numbers by which tensors name their bytes in other files.
  private var externalBuffers: Set<UInt32> = []
  /// The elements of lists of tensors that were looked at; shared lists could make it endless.
  private var elements = 0

  init(_ walk: FlatBufferWalk, _ report: FormatReport) {
    self.walk = walk
    self.report = report
  }

  mutating func check(_ root: FlatTable, _ reader: inout FormatReader) throws(FormatStop) {
    report.note("description", text: try walk.text(10, in: root, "the description", &reader) ?? [])
    buffers = try tables(12, root, &reader)
    for index in 0..<buffers.count { try checkBuffer(index, &reader) }
    try checkOperatorCodes(root, &reader)
    try noteExternalBuffers(root, &reader)
    let subgraphs = try tables(8, root, &reader)
    guard subgraphs.count > 0 else { throw stop(.missingKey, root, "a subgraph", "none") }
    for index in 0..<subgraphs.count {
      try checkSubgraph(try table(subgraphs, index, &reader), &reader)
    }
    try checkSignatures(root, subgraphs: subgraphs.count, &reader)
    try checkMetadata(root, &reader)
    checkEnd(&reader)
  }

  /// Bytes behind the last part are loaded and ignored by the runtime.
  private mutating func checkEnd(_ reader: inout FormatReader) {
    // A flatbuffer is filled up to a multiple of its greatest alignment.
    guard reader.size - walk.end >= 64 || reader.size % 4 != 0 && reader.size > walk.end else {
      return
    }
    report.warn(
      .trailingBytes,
      at: walk.end,
      "the last part of the model",
      expected: "the end of the file",
      found: "\(reader.size - walk.end) bytes more"
    )
  }
}

// MARK: - Parts

extension TFLiteModel {
  private mutating func tables(
    _ slot: Int,
    _ table: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> FlatVector {
    try walk.vector(slot, of: 4, in: table, "a list of tables", &reader)
      ?? FlatVector(offset: 0, count: 0)
  }

  private mutating func table(
    _ tables: FlatVector,
    _ index: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> FlatTable {
    try walk.table(referredAt: tables.offset + 4 * index, "a table", &reader)
  }

  /// Bytes outside the flatbuffer must lie inside the file all the same.
  private mutating func checkBuffer(_ index: Int, _ reader: inout FormatReader) throws(FormatStop) {
    let buffer = try table(buffers, index, &reader)
    try checkOuter(buffer, 6, 8, "buffer \(index)", &reader)
  }

  private mutating func checkOuter(
    _ table: FlatTable,
    _ offsetSlot: Int,
    _ sizeSlot: Int,
    _ subject: String,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let offset = try walk.u64(offsetSlot, in: table, &reader)
    // 1 stands for an offset that its writer has still to fill in.
    guard offset > 1 else { return }
    let size = try walk.u64(sizeSlot, in: table, &reader)
    let (end, overflowed) = offset.addingReportingOverflow(size)
    guard !overflowed, end <= UInt64(reader.size) else {
      throw .structure(
        .outOfBounds,
        at: table.offset,
        subject,
        expected: "an end at \(reader.size) or before",
        found: "\(size) bytes at \(offset)"
      )
    }
    walk.reach(Int(end))
  }

  private mutating func checkOperatorCodes(
    _ root: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let codes = try tables(6, root, &reader)
    operatorCount = codes.count
    var versions: [String: Int] = [:]
    var custom: Set<String> = []
    for index in 0..<codes.count {
      let code = try table(codes, index, &reader)
      let old = Int32(Int8(bitPattern: try walk.u8(4, in: code, &reader)))
      let number = max(old, Int32(bitPattern: try walk.u32(10, in: code, &reader)))
      guard number != Self.customCode else {
        let name = plainText(try walk.text(6, in: code, "a custom operator", &reader) ?? [])
        if custom.count < Self.maximumNames { custom.insert(name ?? "without a name") }
        continue
      }
      // An absent version is 1.
      let version = max(1, Int(Int32(bitPattern: try walk.u32(8, in: code, &reader))))
      guard number >= 0, number != Self.placeholderCode else {
        throw stop(.badType, code, "the code of an operator", "\(number)")
      }
      versions["\(number)"] = max(versions["\(number)"] ?? 0, version)
    }
    report.note("operators", counts: versions)
    report.note("customOperators", list: custom.sorted())
    report.unknownToRuntimes += custom.sorted().prefix(64).map { "custom operator \($0)" }
  }

  private mutating func checkSubgraph(
    _ subgraph: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let tensors = try tables(4, subgraph, &reader)
    for index in 0..<tensors.count {
      try checkTensor(try table(tensors, index, &reader), index, &reader)
    }
    try checkIndices(6, subgraph, tensors.count, &reader)
    try checkIndices(8, subgraph, tensors.count, &reader)
    let operations = try tables(10, subgraph, &reader)
    for index in 0..<operations.count {
      let operation = try table(operations, index, &reader)
      let code = try walk.u32(4, in: operation, &reader)
      guard code < UInt32(operatorCount) else {
        throw stop(.outOfBounds, operation, "an operator below \(operatorCount)", "\(code)")
      }
      try checkIndices(6, operation, tensors.count, &reader)
      try checkIndices(8, operation, tensors.count, &reader)
      try checkOuter(operation, 22, 24, "the options of a custom operator", &reader)
    }
  }

  /// Checks a list of tensors; -1 stands for one that is left out.
  private mutating func checkIndices(
    _ slot: Int,
    _ table: FlatTable,
    _ count: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    guard let list = try walk.vector(slot, of: 4, in: table, "a list of tensors", &reader) else {
      return
    }
    elements += list.count
    guard elements <= reader.size else {
      throw stop(
        .countTooLarge,
        table,
        "fewer tensors in lists for the size of the file",
        "\(elements)"
      )
    }
    try reader.seek(to: UInt64(list.offset))
    for _ in 0..<list.count {
      let index = try reader.i32()
      guard index >= -1, Int(index) < count else {
        throw stop(.outOfBounds, table, "a tensor below \(count)", "\(index)")
      }
    }
  }

  private mutating func checkTensor(
    _ tensor: FlatTable,
    _ index: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let number = try walk.u32(8, in: tensor, &reader)
    guard number < UInt32(buffers.count) else {
      throw stop(.outOfBounds, tensor, "a buffer below \(buffers.count)", "\(number)")
    }
    let external = try walk.u32(24, in: tensor, &reader)
    guard external == 0 || externalBuffers.contains(external) else {
      throw stop(.outOfBounds, tensor, "an external buffer of the model", "\(external)")
    }
    let type = try walk.u8(6, in: tensor, &reader)
    let row = TFLiteTensorType.row(type)
    report.types.insert(row?.name ?? "type \(type)")
    let elements = try elementCount(tensor, &reader)
    let buffer = try table(buffers, Int(number), &reader)
    guard let data = try walk.vector(4, of: 1, in: buffer, "a buffer", &reader), data.count > 0,
      try walk.place(of: 16, size: 4, in: tensor, &reader) == nil, let bits = row?.bits
    else { return }
    let size = ONNXDataType.size(elements, bits: bits)
    guard let size, size == UInt64(data.count) else {
      throw stop(.badShape, tensor, "\(size ?? .max) bytes by its shape", "\(data.count) bytes")
    }
  }

  private mutating func elementCount(
    _ tensor: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) -> UInt64 {
    guard let shape = try walk.vector(4, of: 4, in: tensor, "a shape", &reader) else { return 1 }
    elements += shape.count
    guard elements <= reader.size else {
      throw stop(.countTooLarge, tensor, "fewer dimensions for the size of the file", "\(elements)")
    }
    try reader.seek(to: UInt64(shape.offset))
    var product: UInt64 = 1
    for _ in 0..<shape.count {
      let dimension = try reader.i32()
      guard dimension >= 0 else {
        throw stop(.badShape, tensor, "a dimension of 0 or more", "\(dimension)")
      }
      let (next, overflowed) = product.multipliedReportingOverflow(by: UInt64(dimension))
      guard !overflowed else { throw stop(.overflow, tensor, "fewer than 2^64 elements", "more") }
      product = next
    }
    return product
  }

  private mutating func checkSignatures(
    _ root: FlatTable,
    subgraphs: Int,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let signatures = try tables(18, root, &reader)
    for index in 0..<signatures.count {
      let signature = try table(signatures, index, &reader)
      let subgraph = try walk.u32(12, in: signature, &reader)
      guard subgraph < UInt32(subgraphs) else {
        throw stop(.outOfBounds, signature, "a subgraph below \(subgraphs)", "\(subgraph)")
      }
    }
  }

  private func stop(
    _ code: FaultCode,
    _ table: FlatTable,
    _ expected: String,
    _ found: String
  ) -> FormatStop {
    .structure(code, at: table.offset, "a table of the model", expected: expected, found: found)
  }
}

// MARK: - What the model needs

extension TFLiteModel {
  private mutating func checkMetadata(
    _ root: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let entries = try tables(16, root, &reader)
    var isStated = false
    for index in 0..<entries.count {
      let entry = try table(entries, index, &reader)
      let number = try walk.u32(6, in: entry, &reader)
      guard number < UInt32(buffers.count) else {
        throw stop(.outOfBounds, entry, "a buffer below \(buffers.count)", "\(number)")
      }
      let name = try walk.text(4, in: entry, "the name of metadata", &reader) ?? []
      guard name.elementsEqual("min_runtime_version".utf8) else { continue }
      let buffer = try table(buffers, Int(number), &reader)
      try noteMinimum(in: buffer, &reader)
      isStated = true
    }
    if !isStated { report.unknownToRuntimes.append("min_runtime_version that is absent") }
  }

  /// The text is empty where the converter did not know the version of an operator.
  private mutating func noteMinimum(
    in buffer: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    var bytes: ArraySlice<UInt8> = []
    if let data = try walk.vector(4, of: 1, in: buffer, "a buffer", &reader) {
      try reader.seek(to: UInt64(data.offset))
      bytes = try reader.take(min(data.count, 64)).prefix { $0 != 0 }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ManifestError) {
      let requirement = try RuntimeRequirement(
        name: RuntimeName(known: "tflite"),
        scheme: .dotted,
        minimum: plainText(bytes) ?? "",
        because: ["min_runtime_version \(text)"]
      )
      report.note("minRuntimeVersion", text: text)
      report.runtimes = [requirement]
    } catch {
      report.unknownToRuntimes.append(
        "min_runtime_version \(bytes.isEmpty ? "that is empty" : text)"
      )
    }
  }

  /// Groups of buffers lie in other files, which are named like external data.
  private mutating func noteExternalBuffers(
    _ root: FlatTable,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    let groups = try tables(20, root, &reader)
    var paths: [String] = []
    for index in 0..<groups.count {
      let group = try table(groups, index, &reader)
      let name = try walk.text(4, in: group, "the name of a file", &reader) ?? []
      do throws(ExternalLocation.Refusal) {
        paths.append(try ExternalLocation(name).path)
      } catch {
        throw stop(.externalPathUnsafe, group, error.expected, error.found)
      }
    }
    var ends: [String: UInt64] = [:]
    let external = try tables(22, root, &reader)
    guard external.count <= Self.maximumExternalBuffers else {
      let most = "at most \(Self.maximumExternalBuffers) external buffers"
      throw stop(.countTooLarge, root, most, "\(external.count)")
    }
    for index in 0..<external.count {
      let buffer = try table(external, index, &reader)
      let group = try walk.u32(6, in: buffer, &reader)
      guard group < UInt32(paths.count) else {
        throw stop(.outOfBounds, buffer, "a group below \(paths.count)", "\(group)")
      }
      let offset = try walk.u64(8, in: buffer, &reader)
      let (end, overflowed) = offset.addingReportingOverflow(try walk.u64(10, in: buffer, &reader))
      guard !overflowed else { throw stop(.overflow, buffer, "an end below 2^64", "more") }
      externalBuffers.insert(try walk.u32(4, in: buffer, &reader))
      ends[paths[Int(group)]] = max(ends[paths[Int(group)]] ?? 0, end)
    }
    let files = ends.sorted { $0.key < $1.key }
    report.note("externalFiles", list: files.map(\.key))
    report.links += files.map { .external(location: $0.key, end: $0.value) }
  }
}
