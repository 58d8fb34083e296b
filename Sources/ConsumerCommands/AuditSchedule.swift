import Auditing
import CommandLineKit
import Signatures
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
  /// Options that name what a service does not have: an agent, a descriptor or a variable of whoever starts it.
  private static let ofOneShell = ["--ssh-agent", "--passphrase-fd", "--passphrase-env"]
  /// What to do instead of asking a shell.
  private static let help =
    "--sign with --passphrase-file takes key and passphrase from files that the service can read"

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
      if let option = Self.ofOneRun.first(where: { Self.names(word, $0) }) {
        throw UsageError("\(option) is about one run, and \(Self.flag) about many")
      }
      if let option = Self.ofOneShell.first(where: { Self.names(word, $0) }) {
        throw UsageError(
          "\(option) needs what only a shell has, and \(Self.flag) makes a service",
          helps: [Self.help]
        )
      }
    }
  }

  /// The units for this store and configuration, with absolute paths in their command line.
  ///
  /// - Throws: `UsageError` where the key has a passphrase that nobody would type.
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
      // By bytes: the sign and a mark after it are one character.
      let value =
        isWhole
        ? words.popFirst() ?? ""
        : String(decoding: word.utf8.dropFirst(option.utf8.count + 1), as: UTF8.self)
      let path = try absolutePath(value)
      if option == "--sign" { try requireReadiness(ofKeyAt: path) }
      command += [option, path]
      if option == "--output" { writable = splitPath(path).folder } else { readable.append(path) }
    }
    return AuditUnits(
      AuditUnits.Plan(command: command, readable: readable, writable: writable)
    )
  }

  /// A key that is not there yet may still come.
  private func requireReadiness(ofKeyAt path: String) throws(UsageError) {
    guard !words.contains(where: { Self.names($0, "--passphrase-file") }) else { return }
    let isEncrypted: Bool
    do {
      isEncrypted = try PrivateKeyFile(path: path, allowingInsecurePermissions: true).isEncrypted
    } catch {
      return
    }
    guard isEncrypted else { return }
    throw UsageError(
      "the key in \(path) has a passphrase, and a service has nobody who types it",
      helps: [Self.help]
    )
  }

  private static func names(_ word: String, _ option: String) -> Bool {
    word.utf8.elementsEqual(option.utf8) || word.utf8.starts(with: "\(option)=".utf8)
  }
}
