import CLibFuzzer
import Manifests
import ModelFormats

/// Reads the input as a TensorFlow Lite model, an ExecuTorch program or its data, whichever its identifier says.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  for name in ["m"] {
    guard let path = try? RelativePath(name) else { preconditionFailure("a plain name") }
    let inspection = FileInspection(path, source)
    precondition(inspection.problem?.text.isEmpty != true, "a problem has no text")
  }
  return 0
}

@main
struct FuzzFlatBuffers {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv
    _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, fuzz)
  }
}
