import FormatInvariants
import FuzzDriver
import ModelFormats

/// Reads the input as an ONNX model and as a Core ML model.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  checkInspections(of: source, as: ["m.onnx", "m.mlmodel"])
  return 0
}

@main
struct FuzzProtobuf {
  static func main() { unsafe runFuzzer(fuzz) }
}
