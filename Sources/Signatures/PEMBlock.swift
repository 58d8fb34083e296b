/// The place of the one block of a PEM text (RFC 7468), with nothing but comments around it.
struct PEMBlock {
  private static let dashes = "-----"
  private static let begin = "-----BEGIN "
  private static let end = "-----END "
  /// The bytes of a line of base64, written as 64 digits.
  private static let lineByteCount = 48

  /// The words between BEGIN and the dashes.
  let label: String
  /// The base64, line ends included.
  private let body: Range<Int>

  /// Whether `line` opens a block.
  static func begins(at line: Range<Int>, in text: Span<UInt8>) -> Bool {
    text.extracting(line).starts(with: begin.utf8)
  }

  /// Finds the block in `text`; nil if its first line opens none.
  init?(in text: Span<UInt8>, lines: [Range<Int>]) throws(KeyError) {
    guard let first = lines.first, Self.begins(at: first, in: text) else { return nil }
    guard let label = Self.label(of: first, after: Self.begin, in: text),
      let last = lines.dropFirst().firstIndex(where: {
        text.extracting($0).starts(with: Self.dashes.utf8)
      }),
      let endLabel = Self.label(of: lines[last], after: Self.end, in: text),
      endLabel.utf8.elementsEqual(label.utf8)
    else { throw .damaged(.pem) }
    if let next = lines.dropFirst(last + 1).first {
      throw Self.begins(at: next, in: text) ? .severalKeys : .damaged(.pem)
    }
    self.label = label
    body = first.upperBound..<lines[last].lowerBound
  }

  /// Decodes the block into guarded memory.
  func contents(of text: Span<UInt8>) throws(KeyError) -> SecretBytes {
    let digits = text.extracting(body)
    // The headers of the traditional encryption, "Proc-Type: 4,ENCRYPTED", stand where base64 belongs.
    if digits.indices.contains(where: { digits[$0] == UInt8(ascii: ":") }) {
      throw .unsupportedEncryption("traditional PEM encryption")
    }
    return try SecretBytes(capacity: digits.count) { room throws(KeyError) in
      guard let count = Base64.decode(digits, into: &room, ignoring: " \t\r\n"), count > 0 else {
        throw .damaged(.base64)
      }
      return count
    }
  }

  /// Writes `contents` as a block after comment lines.
  static func text(
    label: String,
    comments: [String] = [],
    _ contents: Span<UInt8>
  ) -> [UInt8] {
    let frame = Frame(label: label, comments: comments)
    var text = [UInt8](repeating: 0, count: frame.byteCount(around: contents.count))
    var room = text.mutableSpan
    frame.write(contents, to: &room)
    return text
  }

  /// Writes secret `contents` as ``text(label:comments:_:)`` does, in guarded memory.
  static func secretText(
    label: String,
    comments: [String] = [],
    _ contents: Span<UInt8>
  ) -> SecretBytes {
    let frame = Frame(label: label, comments: comments)
    return SecretBytes(capacity: frame.byteCount(around: contents.count)) { room in
      frame.write(contents, to: &room)
      return room.count
    }
  }

  /// What stands before and after the base64 of a block that is written.
  private struct Frame {
    let head: [UInt8]
    let foot: [UInt8]

    init(label: String, comments: [String]) {
      head = Array((comments.map { "# \($0)\n" }.joined() + "\(begin)\(label)\(dashes)\n").utf8)
      foot = Array("\(end)\(label)\(dashes)\n".utf8)
    }

    func byteCount(around count: Int) -> Int {
      let lineCount = (count + lineByteCount - 1) / lineByteCount
      return head.count + (count + 2) / 3 * 4 + lineCount + foot.count
    }

    /// Fills `room`, which has just the size.
    func write(_ contents: Span<UInt8>, to room: inout MutableSpan<UInt8>) {
      var place = 0
      func append(_ bytes: [UInt8], to room: inout MutableSpan<UInt8>) {
        for byte in bytes {
          room[place] = byte
          place += 1
        }
      }
      append(head, to: &room)
      for start in stride(from: 0, to: contents.count, by: lineByteCount) {
        let end = min(start + lineByteCount, contents.count)
        var digits = Base64.digits(of: contents.extracting(start..<end))
        append(digits, to: &room)
        append([UInt8(ascii: "\n")], to: &room)
        wipe(&digits)
      }
      append(foot, to: &room)
    }
  }

  /// The label of a line; nil unless it consists of a few capitals, digits and spaces.
  private static func label(
    of line: Range<Int>,
    after prefix: String,
    in text: Span<UInt8>
  ) -> String? {
    let line = text.extracting(line)
    let count = line.count - prefix.utf8.count - dashes.utf8.count
    guard line.starts(with: prefix.utf8), 1...64 ~= count,
      line.extracting(last: dashes.utf8.count).starts(with: dashes.utf8)
    else { return nil }
    let label = line.extracting(prefix.utf8.count..<prefix.utf8.count + count).array
    guard label.allSatisfy({ isLabelByte($0) }) else { return nil }
    return String(decoding: label, as: UTF8.self)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: " ")
    }
  }
}
