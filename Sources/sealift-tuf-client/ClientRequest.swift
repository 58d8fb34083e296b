import CommandLineKit

/// What the command line asks for.
struct ClientRequest {
  enum Action {
    case begin(rootFile: String)
    case refresh(metadata: String)
    case download(targets: [String], metadata: String, targetBase: String, into: String)
  }

  let folder: String
  let action: Action

  /// Reads options in any order, each with its value in the next argument, and one subcommand with its operand.
  init(_ arguments: [String]) throws {
    let words = try Words(arguments)
    let folder = try words.one("--metadata-dir")
    switch words.operands.first {
    case "init":
      guard words.operands.count == 2 else { throw UsageError("init takes one file") }
      action = .begin(rootFile: words.operands[1])
    case "refresh":
      guard words.operands.count == 1 else { throw UsageError("refresh takes no file") }
      action = .refresh(metadata: try words.one("--metadata-url"))
    case "download":
      guard words.operands.count == 1 else { throw UsageError("download takes no file") }
      action = .download(
        targets: try words.some("--target-name"),
        metadata: try words.one("--metadata-url"),
        targetBase: try words.one("--target-base-url"),
        into: try words.one("--target-dir")
      )
    case let word?:
      throw UsageError("\(word) is none of init, refresh and download")
    case nil:
      throw UsageError("one of init, refresh and download is missing")
    }
    self.folder = folder
  }
}

/// Arguments told apart into the values of options and the rest.
private struct Words {
  private static let names = [
    "--metadata-dir", "--metadata-url", "--target-name", "--target-dir", "--target-base-url",
  ]

  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.utf8.starts(with: "--".utf8) else {
        operands.append(word)
        continue
      }
      let parts = word.utf8.split(
        separator: UInt8(ascii: "="),
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      .map { String(Substring($0)) }
      guard let name = parts.first, Self.names.contains(name) else {
        throw UsageError("there is no option \(word)")
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw UsageError("\(name) needs a value")
      }
      values[name, default: []].append(value)
    }
  }

  func some(_ name: String) throws(UsageError) -> [String] {
    guard let values = values[name] else { throw UsageError("\(name) is missing") }
    return values
  }

  func one(_ name: String) throws(UsageError) -> String {
    let values = try some(name)
    guard values.count == 1 else { throw UsageError("\(name) is given more than once") }
    return values[0]
  }
}
