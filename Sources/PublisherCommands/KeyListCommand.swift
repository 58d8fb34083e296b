import CommandErrors
import CommandLineKit
import Publishing
import Signatures
import StrictJSON
import SystemFiles

struct KeyListCommand: Command {
  static let name = ["key", "list"]
  static let summary = "prints the keys in a folder, and what is wrong with them"
  static let help = CommandHelp(
    operands: [OperandHelp("DIR", arity: .optional, "the folder, keys unless given")],
    details: [
      "Prints a line for each file: the fingerprint as ssh-keygen -lf prints it, whether the file is private and "
        + "encrypted, and its path. No passphrase is asked for, and nothing is opened: the fingerprint of a private "
        + "key is the one that its file states in the clear, else that of the public key beside it, else -; nobody has "
        + "checked it.",
      "Ends with 10 if something is wrong: others can read a private key or exchange files of the folder, passphrases of "
        + "a key are tried fast, two halves do not belong together, or a file is damaged.",
    ],
    examples: [
      ExampleHelp("sealift-publish key list", "prints SHA256:...  private, encrypted  FILE"),
      ExampleHelp("sealift-publish key list /etc/sealift", "looks at another folder"),
    ]
  )

  private let folder: String

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    folder = try arguments.optionalOperand("DIR") { $0 } ?? "keys"
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    let listing: KeyListing
    do { listing = try KeyListing(folder: folder) } catch { throw error.at(folder) }
    var table = TextTable(columns: [.left, .left, .left])
    for entry in listing.entries {
      table.append([
        entry.fingerprint?.description ?? "-", KeyWords.state(entry.protection), entry.path,
      ])
      console.event("key", members(of: entry))
    }
    console.print(table)
    let diagnostics =
      listing.findings.map { Diagnostic($0, at: folder) }
      + listing.entries.flatMap { entry in
        entry.findings.map { Diagnostic($0, at: entry.path) }
      }
    for diagnostic in diagnostics { console.warn(diagnostic) }
    if listing.entries.isEmpty { console.inform("there is no key in \(folder)") }
    console.summarize([
      "keys": .integer(Int64(listing.entries.count)),
      "findings": .integer(Int64(diagnostics.count)),
    ])
    return diagnostics.isEmpty ? .done : .findings
  }

  private func members(of entry: KeyListing.Entry) -> JSONObject {
    var members: JSONObject = ["path": .string(entry.path)]
    members["fingerprint"] = entry.fingerprint.map { .string($0.description) }
    members["publicKey"] = entry.publicKey.map { .string($0.shortForm) }
    members["isPrivate"] = .boolean(entry.protection != nil)
    members["encryption"] = entry.protection.map { .string(KeyWords.encryption($0)) }
    members["findings"] = .array(
      entry.findings.map { .string(Diagnostic($0, at: entry.path).kind.rawValue) }
    )
    return members
  }
}
