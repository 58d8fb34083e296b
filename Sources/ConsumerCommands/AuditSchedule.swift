import Auditing
import CommandLineKit
import SystemFiles

/// A command line of `audit` that systemd is to run again and again.
struct AuditSchedule: Sendable {
  private static let flag = "--print-units"
  /// Options whose value is a path that is read.
  private static let readPaths = [
    "--trust", "--manifests", "--directory", "--manifest", "--sign", "--pub", "--passphrase-file",
  ]
  /// Options that are about one run.
  private static let ofOneRun = ["--resume", "--previous"]

  static let options = [
    OptionHelp(
      flag,
      "prints a service and a timer of systemd that run this command line every night, and audits nothing"
    )
  ]

  /// The words of the command line after `audit`, without the one that asks for the units.
  private let words: [String]

  /// Takes the flag off `arguments`, which must be the first that is taken; nil where it is not there.
  init?(_ arguments: inout ArgumentReader) throws(UsageError) {
    let words = arguments.untaken
    guard try arguments.flag(Self.flag) else { return nil }
    self.words = words.filter { !Self.names($0, Self.flag) }
    for word in self.words {
      guard let option = Self.ofOneRun.first(where: { Self.names(word, $0) }) else { continue }
      throw UsageError("\(option) is about one run, and \(Self.flag) about many")
    }
  }

  /// The units for this store and configuration, with absolute paths in their command line.
  func units(_ context: CommandContext) throws -> AuditUnits {
    let folders = try ClientFolders(context)
    guard let program = try Folder(path: "/proc/self").linkTarget("exe") else {
      throw SystemError("readlink", code: 2, path: "/proc/self/exe")
    }
    var command = [program, "audit", "--store", folders.store, "--config", folders.configuration]
    var readable = [folders.store, folders.configuration]
    var writable: String?
    var words = words[...]
    while let word = words.popFirst() {
      let paths = Self.readPaths + ["--output"]
      guard let option = paths.first(where: { Self.names(word, $0) }) else {
        command.append(word)
        continue
      }
      let isWhole = word.utf8.elementsEqual(option.utf8)
      let value = isWhole ? words.popFirst() ?? "" : String(word.dropFirst(option.count + 1))
      let path = try absolutePath(value)
      command += [option, path]
      if option == "--output" { writable = splitPath(path).folder } else { readable.append(path) }
    }
    return AuditUnits(
      AuditUnits.Plan(command: command, readable: readable, writable: writable)
    )
  }

  private static func names(_ word: String, _ option: String) -> Bool {
    word.utf8.elementsEqual(option.utf8) || word.utf8.starts(with: "\(option)=".utf8)
  }
}
