import CommandErrors
import CommandLineKit
import Manifests
import Publishing
import Repositories
import SystemFiles
import Transfers
import Trust

/// Where a repository is looked at: in its tree, or where it is served, from a root that a person has pinned.
struct RepositoryPlace: Sendable {
  static let operand = OperandHelp(
    "PLACE",
    "the folder of the repository, or the URL from which clients have it"
  )

  static let options = [
    OptionHelp(
      "--root",
      value: "FILE",
      "the pinned root, from which the files of a URL are judged"
    ),
    OptionHelp("--ca-bundle", value: "FILE", "trusts these certificate authorities for https"),
  ]

  enum Kind: Sendable {
    case tree
    case served(RepositoryURL, root: String)
  }

  /// As a person gave it.
  let path: String
  let kind: Kind
  private let authorities: String?

  /// Takes the options and the operand off `arguments`.
  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    let root = try arguments.option("--root") { $0 }
    authorities = try arguments.option("--ca-bundle") { $0 }
    let text = try arguments.operand("PLACE") { $0 }
    path = text
    let isURL = ["https://", "http://", "file://"].contains { text.utf8.starts(with: $0.utf8) }
    guard isURL else {
      guard root == nil, authorities == nil else {
        throw UsageError("--root and --ca-bundle go with a URL")
      }
      kind = .tree
      return
    }
    guard let root else {
      throw UsageError(
        "a URL is judged from a root",
        helps: ["--root FILE names the root that clients have pinned"]
      )
    }
    do { kind = .served(try RepositoryURL(text), root: root) } catch {
      throw UsageError("\(quoted(text)) is no URL of a repository")
    }
  }

  /// Reads files over the network, from the pinned root on.
  func reading<Value: Sendable>(
    _ url: RepositoryURL,
    root: String,
    _ context: CommandContext,
    _ body: @escaping @Sendable (RepositoryState.Reading, _ pin: [UInt8]) throws -> Value
  ) async throws -> Value {
    guard let pin = try readFile(at: root, limit: MetadataLimits.standard.root) else {
      throw PublishingError.nothingThere(root)
    }
    var options = FetchOptions()
    options.userAgent = "\(context.tool)/\(context.version)"
    options.proxies = FetchOptions.Proxies(environment: context.environment)
    try options.takeAuthorities(
      try context.settings.value("ca-bundle", flag: authorities) { $0 }
    )
    do {
      return try await Repository.reading(RepositoryMirror(url.text), options: options) { read in
        try body({ path, limit in try Self.present(path, try read(path, limit)) }, pin)
      }
    } catch let problem as RepositoryProblem {
      throw Diagnostic(served: problem)
    }
  }

  /// Tells a URL that leads to no repository, as clients do, by the one file that every repository has under one name.
  private static func present(_ path: String, _ bytes: [UInt8]?) throws -> [UInt8]? {
    guard bytes == nil, path.utf8.elementsEqual(RepositoryLayout.metadata(.timestamp, 0).utf8)
    else { return bytes }
    throw RepositoryFault.noRepository(file: path, troubles: [])
  }
}
