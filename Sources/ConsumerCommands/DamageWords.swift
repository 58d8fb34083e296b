import CommandLineKit
import Installing
import Manifests
import ModelStore
import StrictJSON
import Verification

extension Damage {
  /// Says what is wrong with a version, a line and an event for each part of it.
  func tell(of name: VersionName, _ console: Console) {
    for finding in findings { console.inform("\(name.version): \(finding.text)") }
    for file in oddFiles { console.inform("\(name.version): \(file.text)") }
    for members in members { console.event("finding", members) }
  }

  private var members: [JSONObject] {
    findings.map {
      ["file": .string($0.path), "verdict": .string($0.code), "message": .string($0.text)]
    }
      + oddFiles.map {
        [
          "file": .string($0.path.text), "verdict": .string($0.code), "message": .string($0.text),
        ]
      }
  }

  /// How many things are wrong.
  var count: Int { findings.count + oddFiles.count }
}

extension Damage.OddFile {
  /// The stable name of the oddity for programs.
  var code: String {
    switch oddity {
    case .mode: "wrongMode"
    case .secondName: "linkedElsewhere"
    }
  }

  var text: String {
    switch oddity {
    case .mode(let found, let expected):
      "\(path) has mode \(String(found, radix: 8)), expected \(String(expected, radix: 8))"
    case .secondName(let count):
      "\(path) has \(count - 1) more \(count == 2 ? "name" : "names") elsewhere"
    }
  }
}
