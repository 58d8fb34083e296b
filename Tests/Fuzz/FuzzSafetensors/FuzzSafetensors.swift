import CLibFuzzer
import Manifests
import ModelFormats

/// Inspects the input as a Safetensors file, then as the only file of a release.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = BytesInMemory(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  for name in ["m.safetensors", "m.safetensors.index.json"] {
    guard let path = try? RelativePath(name) else { preconditionFailure("a plain name") }
    let inspection = FileInspection(path, source)
    precondition(inspection.problem?.text.isEmpty != true, "a problem has no text")
    precondition(inspection.format.contradiction(by: inspection.format) == nil, "facts agree")
    let edges = inspection.report.edges.offsets
    precondition(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "edges ascend")
    precondition(edges.allSatisfy { $0 <= count }, "edges lie in the file")
    _ = ReleaseInspection(of: [inspection]) { _ in source }
  }
  return 0
}

@main
struct FuzzSafetensors {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv
    _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, fuzz)
  }
}
