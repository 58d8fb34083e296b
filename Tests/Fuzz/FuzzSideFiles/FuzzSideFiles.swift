import FuzzDriver
import Manifests
import ModelFormats

/// The names under which the rest of an input is read, chosen by its first byte.
private let names = [
  "m.xml", "tokenizer.json", "config.json", "chat_template.jinja", "A.aimodel/main.mlirb",
  "A.aimodel/metadata.json", "P.mlpackage/Manifest.json", "merges.txt", "weights/weight.bin",
  "m.bin",
]

/// A Core ML model with one record of weights, at 64 in the file beside it.
private let model: [UInt8] =
  [
    0x08, 0x06, 0x12, 0x00, 0xB2, 0x1F, 0x32, 0x12, 0x30, 0x12, 0x2E, 0x1A, 0x2C, 0x12, 0x2A, 0x1A,
    0x28, 0x2A, 0x26, 0x12, 0x24, 0x2A, 0x22, 0x0A, 0x1E,
  ] + Array("@model_path/weights/weight.bin".utf8) + [0x10, 0x40]

/// Reads the input as one of the files that come with models.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = bytes.first else { return 0 }
  let name = names[Int(choice) % names.count]
  guard let path = try? RelativePath(name), let beside = try? RelativePath("m.mlmodel") else {
    preconditionFailure("plain names")
  }
  let contents = [path: BytesInMemory(Array(bytes.dropFirst())), beside: BytesInMemory(model)]
  let inspections = contents.map { FileInspection($0.key, $0.value) }
  for inspection in inspections {
    precondition(inspection.problem?.text.isEmpty != true, "a problem has no text")
  }
  let together = ReleaseInspection(of: inspections) { contents[$0] ?? BytesInMemory([]) }
  precondition(together.problems.allSatisfy { !$0.text.isEmpty }, "a problem has no text")
  return 0
}

@main
struct FuzzSideFiles {
  static func main() { unsafe runFuzzer(fuzz) }
}
