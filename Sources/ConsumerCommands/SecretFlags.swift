import CommandErrors
import CommandLineKit
import SystemFiles
import Transfers

/// The options that say where secrets for mirrors are; none is ever an argument itself.
struct SecretFlags {
  private static let fileLimit = 1 << 20

  private let netrc: String?
  private let tokens: String?
  private let variables: [(origin: String, variable: String)]

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    netrc = try arguments.option("--netrc") { $0 }
    tokens = try arguments.option("--tokens") { $0 }
    variables = try arguments.options("--token-env") { try Self.pair($0) }
  }

  /// Reads the secrets from where flags, environment and configuration say that they are.
  func credentials(_ context: CommandContext) throws -> FetchCredentials {
    var credentials = FetchCredentials()
    if let path = try context.settings.value("netrc", flag: netrc, { $0 }) {
      try add(netrc: path, to: &credentials)
    }
    if let path = try context.settings.value("tokens", flag: tokens, { $0 }) {
      try add(tokens: path, to: &credentials)
    }
    for (origin, variable) in variables {
      guard let token = context.environment[variable], !token.isEmpty else {
        throw UsageError("--token-env: the variable \(variable) is not set")
      }
      guard FetchCredentials.isToken(token) else {
        throw UsageError("--token-env: the variable \(variable) holds no token")
      }
      do {
        try credentials.add(bearer: token, for: origin)
      } catch {
        throw UsageError("--token-env: no token can be sent to \(printable(redact(origin)))")
      }
    }
    for origin in credentials.exposedOrigins {
      context.console.warn(
        Diagnostic(
          .usage,
          kind: .exposedToken,
          "the token for \(printable(origin)) can be read on its way",
          helps: ["use https for that mirror"]
        )
      )
    }
    return credentials
  }

  private func add(netrc path: String, to credentials: inout FetchCredentials) throws {
    let bytes = try Self.read(path)
    do throws(FetchCredentials.NetrcError) {
      try credentials.add(netrc: bytes)
    } catch {
      switch error {
      case .notText: throw UsageError("\(printable(path)) is not text")
      case .malformed(let entry):
        throw UsageError("\(printable(path)): entry \(entry) is not as a netrc file has it")
      }
    }
  }

  /// One line a token: the origin, spaces, the token; empty lines and those that begin with `#` say nothing.
  private func add(tokens path: String, to credentials: inout FetchCredentials) throws {
    let lines = try Self.read(path).split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    for (index, line) in lines.enumerated() {
      let words = line.split { [0x20, 0x09, 0x0d].contains($0) }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      do {
        guard words.count == 2 else { throw MirrorFault.unusableURL("") }
        try credentials.add(
          bearer: String(decoding: words[1], as: UTF8.self),
          for: String(decoding: first, as: UTF8.self)
        )
      } catch {
        throw UsageError("\(printable(path)): line \(index + 1) is not an origin and a token")
      }
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      return try OpenFile(reading: path).readAll(limit: fileLimit)
    } catch {
      throw error.at(path)
    }
  }

  private static func pair(_ text: String) throws(UsageError) -> (String, String) {
    guard let mark = text.lastIndex(of: "="), mark != text.startIndex,
      text.index(after: mark) != text.endIndex
    else { throw UsageError("write ORIGIN=VARIABLE, such as https://example.com=HUB_TOKEN") }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }
}
