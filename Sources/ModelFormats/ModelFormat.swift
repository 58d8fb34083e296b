package import Manifests

/// The file formats that Sealift tells apart.
package enum ModelFormat: String, Hashable, Sendable, CaseIterable {
  case gguf, safetensors, onnx, tflite, litertlm, mlmodel, mlpackage, mlmodelc, aimodel, aimodelc
  case pickle, pt2, pte, ptd, npy, npz, zip, tensorrt, other
  case safetensorsIndex = "safetensors-index"
  case pytorchZip = "pytorch-zip"
  case ggmlLegacy = "ggml-legacy"
  case openvinoIR = "openvino-ir"

  /// The name in manifests.
  package var name: FormatName {
    switch self {
    case .gguf: FormatName(known: "gguf")
    case .safetensors: FormatName(known: "safetensors")
    case .onnx: FormatName(known: "onnx")
    case .tflite: FormatName(known: "tflite")
    case .litertlm: FormatName(known: "litertlm")
    case .mlmodel: FormatName(known: "mlmodel")
    case .mlpackage: FormatName(known: "mlpackage")
    case .mlmodelc: FormatName(known: "mlmodelc")
    case .aimodel: FormatName(known: "aimodel")
    case .aimodelc: FormatName(known: "aimodelc")
    case .pickle: FormatName(known: "pickle")
    case .pt2: FormatName(known: "pt2")
    case .pte: FormatName(known: "pte")
    case .ptd: FormatName(known: "ptd")
    case .npy: FormatName(known: "npy")
    case .npz: FormatName(known: "npz")
    case .zip: FormatName(known: "zip")
    case .tensorrt: FormatName(known: "tensorrt")
    case .other: .other
    case .safetensorsIndex: FormatName(known: "safetensors-index")
    case .pytorchZip: FormatName(known: "pytorch-zip")
    case .ggmlLegacy: FormatName(known: "ggml-legacy")
    case .openvinoIR: FormatName(known: "openvino-ir")
    }
  }

  /// Whether loading such a file can run code that it contains.
  package var canRunCode: Bool { self == .pickle || self == .pytorchZip }

  /// The formats that a file with this name must have one of; empty when the name promises nothing.
  static func promised(by path: RelativePath) -> [ModelFormat] {
    switch path.fileExtension {
    case "gguf": [.gguf]
    case "safetensors": [.safetensors]
    case "onnx": [.onnx]
    case "tflite": [.tflite]
    case "litertlm": [.litertlm]
    case "mlmodel": [.mlmodel]
    case "pt", "pth": [.pytorchZip, .pickle]
    case "jit", "ptl": [.pytorchZip]
    case "pt2": [.pt2]
    case "pte": [.pte]
    case "ptd": [.ptd]
    case "pkl", "pickle": [.pickle]
    case "npy": [.npy]
    case "npz": [.npz]
    case "zip": [.zip]
    default: []
    }
  }
}

extension FormatFacts {
  /// Whether a manifest says that loading the file can run code that is in it, or beside it.
  package var canRunCode: Bool {
    more[FormatReport.codeFact] != nil || ModelFormat(rawValue: name.text)?.canRunCode == true
  }
}
