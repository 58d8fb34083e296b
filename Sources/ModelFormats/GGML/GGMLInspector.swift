import Manifests

/// Tells the kinds of model files from before GGUF apart.
///
/// Their content depends on the program that reads them. Only `ggml` without a version is still read, by whisper.cpp.
enum GGMLInspector: FormatInspector {
  /// Since this build llama.cpp reads GGUF alone.
  private static let firstBuildOfGGUF = "b1012"
  static let magics = ["lmgg", "fmgg", "tjgg", "algg"].map { Array($0.utf8) }

  static func inspect(
    _ reader: inout FormatReader,
    into report: inout FormatReport
  ) throws(FormatStop) {
    let magic = try reader.take(4)
    let kind: String
    switch String(decoding: magic, as: UTF8.self) {
    case "lmgg": kind = "ggml"
    case "fmgg": kind = "ggmf"
    case "tjgg": kind = "ggjt"
    default: kind = "ggla"
    }
    report.note("kind", text: kind)
    // What follows is of the architecture where there is no version: whisper begins with the count of its tokens.
    let word = try reader.u32()
    if kind == "ggml" {
      try reader.require(32)
    } else {
      report.version = Int(word)
      guard (1...3).contains(word) else {
        throw .structure(
          .unsupportedVersion,
          at: 4,
          "the version",
          expected: "1 to 3",
          found: "\(word)"
        )
      }
    }
    guard kind != "ggml" else {
      report.unknownToRuntimes.append("the ggml format, which whisper.cpp reads")
      return
    }
    report.runtimes = [
      RuntimeRequirement(
        known: RuntimeName(known: "llama.cpp"),
        scheme: .build,
        minimum: "b1",
        below: firstBuildOfGGUF,
        because: ["the format \(kind), which went when GGUF came"]
      )
    ]
  }
}
