import FormatInvariants
import FuzzDriver
import ModelFormats

/// Inspects the input as a GGUF file, then as the only file of a release.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  checkInspections(of: source, as: ["m.gguf", "m-00001-of-00001.gguf"])
  return 0
}

@main
struct FuzzGGUF {
  static func main() { unsafe runFuzzer(fuzz) }
}
