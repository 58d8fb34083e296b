/// Checks the vocabulary in a GGUF file, whose lists runtimes read by the same index.
struct GGUFVocabulary {
  /// How many tokens there are; nil without a tokenizer.
  private(set) var tokenCount: Int?

  private static let withoutTokens = ["none", "no_vocab"]
  /// A token that stands for a byte.
  private static let byteToken: Int32 = 6

  private let metadata: GGUFMetadata

  init(
    _ metadata: GGUFMetadata,
    _ reader: inout FormatReader,
    isWide: Bool,
    into report: inout FormatReport
  ) throws(FormatStop) {
    self.metadata = metadata
    guard let value = metadata[GGUFKeys.tokenizer] else { return }
    guard value.type == GGUFValue.TypeNumber.string else {
      throw Self.badType(value, GGUFKeys.tokenizer, "a string")
    }
    let model = metadata.name(GGUFKeys.tokenizer) ?? ""
    guard !Self.withoutTokens.contains(model) else { return }
    if LlamaCppTable.tokenizers[model] == nil {
      report.leaveUnverified(
        .unknownTokenizer,
        at: value.offset,
        "the tokenizer",
        expected: "one that this program knows",
        found: "\"\(model)\""
      )
    }
    let tokens = try list(GGUFKeys.tokens, of: GGUFValue.TypeNumber.string, isRequired: true)
    guard let tokens else { return }
    tokenCount = tokens.count
    try check(GGUFKeys.scores, of: GGUFValue.TypeNumber.f32, tokens.count, into: &report)
    try check(GGUFKeys.tokenTypes, of: GGUFValue.TypeNumber.i32, tokens.count, into: &report)
    let needsMerges =
      (model == "gpt2" && metadata.text(GGUFKeys.preTokenizer) != "kimi-k2") || model == "gemma4"
    _ = try list(GGUFKeys.merges, of: GGUFValue.TypeNumber.string, isRequired: needsMerges)
    warnAboutTokenNumbers(tokens.count, into: &report)
    if model == "plamo2" { try checkByteTokens(tokens.offset, isWide, &reader) }
  }

  private struct List {
    let count: Int
    /// Where its first element begins.
    let offset: Int
  }

  private func list(
    _ key: String,
    of element: UInt32,
    isRequired: Bool
  ) throws(FormatStop) -> List? {
    guard let value = metadata[key] else {
      guard isRequired else { return nil }
      throw .structure(
        .missingKey,
        at: metadata[GGUFKeys.tokenizer]?.offset ?? 0,
        "the tokenizer \"\(metadata.name(GGUFKeys.tokenizer) ?? "")\"",
        expected: "the key \(key)",
        found: "none"
      )
    }
    let wanted = "an array of \(GGUFValue.name(element))"
    guard case .array(element, let count, let offset) = value.content else {
      throw Self.badType(value, key, wanted)
    }
    return List(count: count, offset: offset)
  }

  /// Checks a list that has an element for each token.
  private func check(
    _ key: String,
    of element: UInt32,
    _ tokenCount: Int,
    into report: inout FormatReport
  ) throws(FormatStop) {
    guard let list = try list(key, of: element, isRequired: false) else { return }
    guard list.count >= tokenCount else {
      throw .structure(
        .tokenizerMismatch,
        at: list.offset,
        key,
        expected: "\(tokenCount) elements, one for each token",
        found: String(list.count)
      )
    }
    if list.count > tokenCount {
      report.warn(
        .tokenizerMismatch,
        at: list.offset,
        key,
        expected: "\(tokenCount) elements, one for each token",
        found: String(list.count)
      )
    }
  }

  private func warnAboutTokenNumbers(_ tokenCount: Int, into report: inout FormatReport) {
    for (key, value) in metadata.values.sorted(by: { $0.key < $1.key })
    where GGUFKeys.isTokenNumber(key) {
      guard let number = value.integer, number >= tokenCount else { continue }
      report.warn(
        .tokenizerMismatch,
        at: value.offset,
        key,
        expected: "a token from 0 to \(tokenCount - 1)",
        found: String(number)
      )
    }
  }

  /// Checks that tokens for bytes are written as the runtime parses them, which it does unchecked.
  private func checkByteTokens(
    _ offset: Int,
    _ isWide: Bool,
    _ reader: inout FormatReader
  ) throws(FormatStop) {
    guard let types = try list(GGUFKeys.tokenTypes, of: GGUFValue.TypeNumber.i32, isRequired: false)
    else { return }
    var place = offset
    for index in 0..<min(types.count, tokenCount ?? 0) {
      try reader.seek(to: UInt64(types.offset + 4 * index))
      let type = try reader.i32()
      try reader.seek(to: UInt64(place))
      let length = isWide ? try reader.u64() : UInt64(try reader.u32())
      if type == Self.byteToken {
        let token = try reader.take(min(Int(clamping: length), 64))
        guard length == 6, Self.isByteToken(token) else {
          throw .structure(
            .tokenizerMismatch,
            at: place,
            "token \(index), which stands for a byte",
            expected: "<0x00> to <0xFF>",
            found: String(decoding: token, as: UTF8.self)
          )
        }
      } else {
        try reader.skip(length)
      }
      place = reader.offset
    }
  }

  private static func isByteToken(_ token: [UInt8]) -> Bool {
    token.count == 6 && token.starts(with: "<0x".utf8) && token[5] == UInt8(ascii: ">")
      && token[3...4].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
  }

  static func badType(_ value: GGUFValue, _ key: String, _ expected: String) -> FormatStop {
    let found: String
    if case .array(let element, _, _) = value.content {
      found = "an array of \(GGUFValue.name(element))"
    } else {
      found = GGUFValue.name(value.type)
    }
    return .structure(.badType, at: value.offset, key, expected: expected, found: found)
  }
}

extension GGUFVocabulary {
  /// Architectures whose embedding has other rows than tokens.
  private static let withOtherRows = ["wavtokenizer-dec"]

  /// Checks that the embedding has a row for each token.
  func checkRows(
    _ rows: UInt64?,
    into report: inout FormatReport
  ) throws(FormatStop) {
    guard let rows, let tokenCount, rows != UInt64(tokenCount) else { return }
    let architecture = metadata.text(GGUFKeys.architecture) ?? ""
    let subject = "tensor \"token_embd.weight\""
    let place = metadata[GGUFKeys.tokens]?.offset ?? 0
    let expected = "\(tokenCount) rows, one for each token"
    let isMeant = metadata.integer("\(architecture).vocab_size") == Int(clamping: rows)
    guard isMeant, Self.withOtherRows.contains(architecture) else {
      throw .structure(
        .tokenizerMismatch,
        at: place,
        subject,
        expected: expected,
        found: String(rows)
      )
    }
    report.warn(.tokenizerMismatch, at: place, subject, expected: expected, found: String(rows))
  }
}
