import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

extension ActiveRecord {
  /// Says which version is active now, and where its files are.
  func tell(at path: String, _ console: Console) {
    let trial = triesLeft.map { ", on trial for \($0) more \($0 == 1 ? "start" : "starts")" } ?? ""
    console.inform("\(model) \(active.version) is active\(trial)")
    console.printVerbatim(Array("\(path)\n".utf8))
    console.summarize([
      "model": .string(model.text), "version": .string(active.version.text),
      "generation": .integer(Int64(generation)), "path": .string(path),
    ])
  }
}
