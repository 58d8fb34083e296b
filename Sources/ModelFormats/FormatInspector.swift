/// Checks the structure of one format and collects what its bytes say.
protocol FormatInspector {
  /// Reads the header of the file, from its first byte on, into `report`.
  ///
  /// Throws the first fault. What this program can't check goes to `leaveUnverified`, what is seldom
  /// meant to `warn`. Never crashes and never recurses without a limit; memory and time are bounded by
  /// the reader, as long as what is kept is bounded by bytes that were read.
  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop)
}

extension ModelFormat {
  /// The parser of the format; nil for formats that are recognised and not read further.
  var inspector: (any FormatInspector.Type)? {
    switch self {
    case .gguf: GGUFInspector.self
    case .safetensors: SafetensorsInspector.self
    case .safetensorsIndex: SafetensorsIndexInspector.self
    case .onnx: ONNXInspector.self
    case .tflite: TFLiteInspector.self
    case .litertlm: LiteRTLMInspector.self
    case .mlmodel: CoreMLInspector.self
    case .pte: PTEInspector.self
    case .ptd: PTDInspector.self
    case .openvinoIR: OpenVINOInspector.self
    case .npy: NPYInspector.self
    case .npz: NPZInspector.self
    case .pickle: PickleInspector.self
    case .pytorchZip: PyTorchInspector.self
    case .pt2: PT2Inspector.self
    case .zip: ZIPInspector.self
    case .ggmlLegacy: GGMLInspector.self
    case .tensorrt: TensorRTInspector.self
    default: nil
    }
  }
}
