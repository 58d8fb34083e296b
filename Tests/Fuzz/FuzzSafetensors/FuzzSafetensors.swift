import FormatInvariants
import FuzzDriver
import ModelFormats

/// Inspects the input as a Safetensors file, then as the only file of a release.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  checkInspections(of: source, as: ["m.safetensors", "m.safetensors.index.json"])
  return 0
}

@main
struct FuzzSafetensors {
  static func main() { unsafe runFuzzer(fuzz) }
}
