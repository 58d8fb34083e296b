import FormatInvariants
import FuzzDriver
import ModelFormats

/// Reads the input as each kind of archive, as a pickle and as an array.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  checkInspections(of: source, as: ["m.pt", "m.pt2", "m.npz", "m.zip", "m.pkl", "m.npy"])
  return 0
}

@main
struct FuzzArchives {
  static func main() { unsafe runFuzzer(fuzz) }
}
