import CommandLineKit
import Manifests
import ModelStore
import StrictJSON

/// A step of reconciling in words.
struct ReconcileWords {
  private let step: ReconcileStep
  private let model: ModelName

  init(_ step: ReconcileStep, of model: ModelName) {
    self.step = step
    self.model = model
  }

  /// What is to be done, as an order.
  var text: String {
    switch step {
    case .removeLeftover(let place): "remove \(place)"
    case .removeLease(let name): "remove the lease of \(name.version), which is gone"
    case .makeLease(let name): "make the lease of \(name.version)"
    case .replaceLease(let name): "replace what is not the lease of \(name.version) by one"
    case .keepManifest(let name): "keep a copy of the manifest of \(name.version)"
    case .closeFolder(let name): "make the folder of \(name.version) read-only"
    case .pointLink(let name): "let current name \(name.version)"
    case .removeLink: "remove the link current"
    case .raiseFloor(let version): "raise the downgrade floor to \(version)"
    case .removeCandidate(let name): "remove what \(name.version) was fetched into"
    case .deleteTrash(let name): "delete \(name) in the trash"
    case .replacePart(let part): "make the folder \(part) in the place of what is none"
    case .verify(let name): "read every byte of \(name.version)"
    case .rollBack(let from, let to):
      "return from \(from.version), which is damaged, to \(to.version)"
    case .endTrial(let name):
      "mark \(name.version) bad, whose trial has ended, and return to the version before"
    case .discard(let name): "move \(name.version), which is damaged, to the trash"
    case .writeRecord(let name): "write the active record anew, with \(name.version)"
    }
  }

  /// A word for programs.
  var code: String {
    switch step {
    case .removeLeftover: "removeLeftover"
    case .removeLease: "removeLease"
    case .makeLease: "makeLease"
    case .replaceLease: "replaceLease"
    case .keepManifest: "keepManifest"
    case .closeFolder: "closeFolder"
    case .pointLink: "pointLink"
    case .removeLink: "removeLink"
    case .raiseFloor: "raiseFloor"
    case .removeCandidate: "removeCandidate"
    case .deleteTrash: "deleteTrash"
    case .replacePart: "replacePart"
    case .verify: "verify"
    case .rollBack: "rollBack"
    case .endTrial: "endTrial"
    case .discard: "discard"
    case .writeRecord: "writeRecord"
    }
  }

  var members: JSONObject {
    ["model": .string(model.text), "step": .string(code), "text": .string(text)]
  }

  /// Tells a person what a command did by itself: a change of the active version always, the rest when asked.
  func tell(_ console: Console) {
    console.event("reconciled", members)
    let done = "\(model): \(text): done"
    switch step {
    case .rollBack(let from, _):
      let help = "sealift repair \(model)@\(from.version) makes \(from.version) whole"
      console.warn(Diagnostic(.wrongBytes, kind: .rollBack, done, helps: [help]))
    case .endTrial: console.warn(Diagnostic(.wrongBytes, kind: .endTrial, done))
    case .discard: console.warn(Diagnostic(.wrongBytes, kind: .discard, done))
    case .writeRecord: console.warn(Diagnostic(.wrongBytes, kind: .writeRecord, done))
    case .verify: console.inform(done)
    default: console.detail(done)
    }
  }
}
