package import Manifests

/// Tells the format of a file from its content; the name decides only among formats that share one
/// container.
package enum FormatDetector {
  /// Detects the format with bounded reads: at most 1 MiB at once, and of a large file little more
  /// than its header.
  package static func detect<Source: ByteSource>(
    _ path: RelativePath,
    _ source: Source
  ) throws(Source.Failure) -> ModelFormat {
    let start = try source.read(at: 0, count: 4_096)
    let words = start.dropFirst(4)
    if isGGUF(path, start) { return .gguf }
    if words.starts(with: TFLiteInspector.magic) { return .tflite }
    if isLiteRTLM(path, start) { return .litertlm }
    if isSafetensors(path, start) { return .safetensors }
    if let format = format(path, magic: start) { return format }
    return try protobuf(path, source, start)
  }

  /// Whether the bytes are the beginning of the format, or too few to tell under a name that promises it.
  private static func isGGUF(_ path: RelativePath, _ start: [UInt8]) -> Bool {
    let magic = Array("GGUF".utf8)
    if start.count < magic.count, path.fileExtension == "gguf" { return magic.starts(with: start) }
    return start.starts(with: magic)
  }

  /// The same for the container of LiteRT-LM.
  private static func isLiteRTLM(_ path: RelativePath, _ start: [UInt8]) -> Bool {
    let magic = LiteRTLMInspector.magic
    if start.count < magic.count, path.fileExtension == "litertlm" {
      return magic.starts(with: start)
    }
    return start.starts(with: magic)
  }

  /// Whether the bytes can be the length of a header and its first byte.
  ///
  /// Under a name that promises the format, a few bytes will do, and white space before the header.
  private static func isSafetensors(_ path: RelativePath, _ start: [UInt8]) -> Bool {
    let isPromised = path.fileExtension == "safetensors"
    var cursor = ByteCursor(start)
    guard let length = cursor.u64() else { return isPromised }
    guard (2...SafetensorsHeader.maximumLength).contains(length) else { return false }
    guard let byte = cursor.take(1)?.first else { return isPromised }
    return byte == UInt8(ascii: "{") || (isPromised && [0x20, 0x09, 0x0A, 0x0D].contains(byte))
  }

  /// Tells ONNX and Core ML apart: a protobuf message has no magic number, so that only a walk tells.
  ///
  /// Any bytes may look like the start of one. Under a name that promises such a file a few fields are enough, so that the
  /// parser says what is wrong with the rest; without that name the whole file must be one message.
  private static func protobuf<Source: ByteSource>(
    _ path: RelativePath,
    _ source: Source,
    _ start: [UInt8]
  ) throws(Source.Failure) -> ModelFormat {
    let isPromised = ["onnx", "mlmodel"].contains(path.fileExtension)
    guard isPromised || start.first == 0x08 else { return .other }
    let message = try ProtobufFields(source)
    guard isPromised || message.end == .whole else { return .other }
    let looks = ProtobufLooks(message, isPromised: isPromised)
    if looks.coreML, !looks.onnx || path.fileExtension == "mlmodel" { return .mlmodel }
    return looks.onnx ? .onnx : .other
  }

  /// Formats that show in their first bytes; containers are told apart by the name.
  private static func format(_ path: RelativePath, magic start: [UInt8]) -> ModelFormat? {
    if start.starts(with: [0x50, 0x4B, 3, 4]) {
      switch path.fileExtension {
      case "pt", "pth", "bin", "ckpt", "jit", "ptl": return .pytorchZip
      case "pt2": return .pt2
      case "npz": return .npz
      default: return .zip
      }
    }
    if start.starts(with: NumPyHeader.magic) { return .npy }
    if start.dropFirst(4).starts(with: PTEInspector.magic) { return .pte }
    if start.dropFirst(4).starts(with: PTDInspector.magic) { return .ptd }
    if GGMLInspector.magics.contains(where: start.starts(with:)) { return .ggmlLegacy }
    if start.count >= 2, start[0] == 0x80, (2...5).contains(start[1]) { return .pickle }
    if ["pkl", "pickle"].contains(path.fileExtension) { return .pickle }
    if isIndex(path), start.first == UInt8(ascii: "{") { return .safetensorsIndex }
    if path.fileExtension == "xml", start.contains("<net ") { return .openvinoIR }
    if ["engine", "plan", "trt"].contains(path.fileExtension) { return .tensorrt }
    return nil
  }

  private static func isIndex(_ path: RelativePath) -> Bool {
    path.text.utf8.suffix(23).elementsEqual(".safetensors.index.json".utf8)
  }
}

extension Sequence<UInt8> {
  /// Whether the bytes of `word` stand somewhere in a row.
  fileprivate func contains(_ word: String) -> Bool {
    let bytes = Array(self)
    let word = Array(word.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: word) }
  }
}
