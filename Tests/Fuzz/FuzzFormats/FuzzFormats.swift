import FormatInvariants
import FuzzDriver
import Manifests
import ModelFormats

/// Looks at the input under names that promise each format.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  checkInspections(
    of: source,
    as: ["m.gguf", "m.safetensors", "m.onnx", "m.mlmodel", "m.tflite", "m.json", "m"]
  )
  checkPackage(source)
  return 0
}

private func checkPackage(_ source: BytesInMemory) {
  guard let path = try? RelativePath("P.mlpackage/Manifest.json") else { return }
  for package in CoreMLPackage.packages(in: [path]) { _ = package.check(manifest: source) }
}

@main
struct FuzzFormats {
  static func main() { unsafe runFuzzer(fuzz) }
}
