import FormatInvariants
import FuzzDriver
import ModelFormats

/// Reads the input as a TensorFlow Lite model, a container of LiteRT-LM, an ExecuTorch program or its data, whichever its
/// identifier says.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  checkInspections(of: source, as: ["m"])
  return 0
}

@main
struct FuzzFlatBuffers {
  static func main() { unsafe runFuzzer(fuzz) }
}
