import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import StrictJSON
import SystemFiles
import Verification

struct ExportCommand: Command {
  static let name = ["export"]
  static let summary = "writes what a manifest says for other tools, signed where they want it"

  private let path: String
  private let formats: [ExportFormat]
  private let mirrors: [MirrorTemplate]
  private let folder: String?
  private let identity: SignerIdentity?
  private let output: String
  private let replaces: Bool
  private let signer: SignerOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    formats = try Self.formats(&arguments)
    mirrors = try arguments.options("--mirror") { try MirrorTemplate($0) }
    folder = try arguments.option("--files") { $0 }
    identity = try arguments.option("--identity") { try SignerIdentity($0) }
    output = try arguments.option("--output") { $0 } ?? "."
    replaces = try arguments.flag("--force")
    signer = try SignerOptions(&arguments)
    path = try arguments.operand("MANIFEST") { $0 }
    try arguments.finish()
    try checkUse()
    try checkSigner()
  }

  /// Refuses what no format of this run uses.
  private func checkUse() throws(UsageError) {
    let uses: [(option: String, isGiven: Bool, format: ExportFormat)] = [
      ("--mirror", !mirrors.isEmpty, .metalink), ("--files", folder != nil, .metalink),
      ("--identity", identity != nil, .ssh),
    ]
    for use in uses where use.isGiven && !formats.contains(use.format) {
      throw UsageError("\(use.option) goes with --format \(use.format.rawValue) only")
    }
  }

  /// Demands one signer for what is signed, and none for what is not.
  private func checkSigner() throws(UsageError) {
    let all = "--key, --ssh-agent, --signer"
    guard let format = formats.first(where: \.isSigned) else {
      guard signer.sources.isEmpty, signer.publicKeys.isEmpty else {
        throw UsageError("no format is signed, so nobody can be named to sign")
      }
      return
    }
    guard !signer.sources.isEmpty else {
      throw UsageError(
        "--format \(format.rawValue) is signed, and nobody is named to sign",
        helps: [
          "give one of \(all)",
          "sealift-publish key new export makes a key for exports alone",
        ]
      )
    }
    guard signer.sources.count == 1 else { throw UsageError("only one of \(all) can be given") }
  }

  private static func formats(
    _ arguments: inout ArgumentReader
  ) throws(UsageError) -> [ExportFormat] {
    let formats = try arguments.options("--format") { text throws(UsageError) in
      guard let format = ExportFormat(rawValue: text) else {
        let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\(quoted(text)) is no format", helps: ["the formats are \(known)"])
      }
      return format
    }
    guard !formats.isEmpty else { throw UsageError("--format is missing") }
    guard Set(formats).count == formats.count else {
      throw UsageError("--format is given twice with the same value")
    }
    return formats
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let console = context.console
    let file = try ManifestFile(reading: path)
    let (envelope, release) = (file.envelope, try file.release())
    console.inform("exporting \(path)")
    for line in ReleaseSummary(release).lines { console.inform(line) }
    tellSigners(of: envelope, console)
    var files = try await documents(envelope, release, context)
    if let source = signer.sources.first {
      let use = ListSigning(
        list: try ChecksumList(envelope),
        formats: formats.filter(\.isSigned),
        identity: identity ?? .release
      )
      let expected = try signer.expectedKeys(context)
      let (signatures, key) = try await source.lend(to: use, expecting: expected, context)
      warnAboutSharedKey(key, envelope, console)
      files += signatures
      console.summarize(["signer": .string(key.fingerprint.description)])
    }
    try write(files, console)
    var members = ReleaseSummary(release).members
    members["manifestSha256"] = .string(envelope.payloadDigest.hex)
    members["claimedSigners"] = .array(envelope.signatures.map { .string($0.keyID) })
    console.summarize(members)
    return .done
  }

  /// What needs no key.
  private func documents(
    _ envelope: Envelope,
    _ release: Release,
    _ context: CommandContext
  ) async throws -> [ExportedFile] {
    var files: [ExportedFile] = []
    if formats.contains(where: { $0 == .sha256sums || $0.isSigned }) {
      files.append(.checksums(try ChecksumList(envelope)))
    }
    let stem = "\(release.model.folderName)-\(release.version)"
    if formats.contains(.metalink) {
      let generator = "\(context.tool)/\(context.version)"
      let metalink = try Metalink(
        release,
        with: mirrors,
        pieces: try await pieces(of: release, context.console),
        generator: generator
      )
      files.append(ExportedFile("\(stem).meta4", metalink.bytes))
    }
    if formats.contains(.cyclonedx) {
      let bill = try BillOfMaterials(envelope, tool: (context.tool, context.version))
      files.append(ExportedFile("\(stem).cdx.json", bill.bytes))
    }
    return files
  }

  /// The pieces of the files, as far as the manifest or the files themselves have them.
  private func pieces(of release: Release, _ console: Console) async throws -> EqualPieces {
    var pieces = EqualPieces(release)
    guard let folder else {
      warnAboutPieces(pieces.missing(of: release), console)
      return pieces
    }
    let isNeeded = !pieces.missing(of: release).isEmpty
    defer {
      if !isNeeded {
        console.inform("every file has pieces in the manifest: \(folder) is not read")
      }
    }
    let total = pieces.missingBytes(of: release)
    let display = ProgressDisplay(console, label: "hashing", total: total)
    return try await StopFlag.withFlag { stop in
      try await withProgress(display) { display in
        try pieces.hash(release, in: folder) { done in
          display.update(done: done)
          return !stop.isRaised
        }
        return pieces
      }
    }
  }

  // MARK: Files

  private func write(_ files: [ExportedFile], _ console: Console) throws {
    let (folder, files) = place(files)
    let outcomes = try ExportPlace(folder, replaces: replaces).write(files)
    for (path, outcome) in outcomes {
      if outcome == .written { console.wrote(path) }
      console.print(path)
      console.event("file", ["path": .string(path), "outcome": .string(outcome.rawValue)])
      if outcome == .alreadyThere { console.inform("\(path) is there already, and the same") }
    }
  }

  /// The folder and the names in it: one file can have a name of its own.
  private func place(_ files: [ExportedFile]) -> (String, [ExportedFile]) {
    let isFolder = output.utf8.last == UInt8(ascii: "/") || (try? Folder(path: output)) != nil
    guard let only = files.first, files.count == 1, !isFolder else { return (output, files) }
    let (folder, name) = splitPath(output)
    return (folder, [ExportedFile(name, only.bytes)])
  }

  // MARK: What a person should know

  private func tellSigners(of envelope: Envelope, _ console: Console) {
    let claims = envelope.signatures.map { claimedName($0.keyID) }
    console.inform(
      "signers:  \(claims.isEmpty ? "none" : claims.joined(separator: ", ") + " (claimed)")"
    )
    guard claims.isEmpty else { return }
    console.warn(
      Diagnostic(
        .notAccepted,
        kind: .unsigned,
        "nobody has signed the manifest",
        helps: ["sealift-publish sign \(path) --key FILE signs it"]
      )
    )
  }

  private func warnAboutSharedKey(_ key: PublicKey, _ envelope: Envelope, _ console: Console) {
    guard !envelope.signers(among: [key]).isEmpty else { return }
    console.warn(
      Diagnostic(
        .usage,
        kind: .sharedKey,
        "the key of this export has signed the manifest, too",
        notes: ["signify and openssl take a signature for whatever bytes stand under it"],
        helps: ["make a key for exports alone: sealift-publish key new export"]
      )
    )
  }

  private func warnAboutPieces(_ files: [FileEntry], _ console: Console) {
    guard !files.isEmpty else { return }
    console.warn(
      Diagnostic(
        .done,
        kind: .noPieces,
        "the Metalink has no pieces of some files, which are verified as a whole only",
        notes: files.prefix(16).map { file in
          let reason = file.chunks == nil ? "no chunks" : "chunks of different lengths"
          return "\(file.path): \(reason) in the manifest"
        },
        helps: ["--files DIR hashes pieces from the files themselves"]
      )
    )
  }
}

/// Signs the list of digests in several formats.
private struct ListSigning: SignerUse {
  let list: ChecksumList
  let formats: [ExportFormat]
  let identity: SignerIdentity

  func use(
    _ signer: borrowing some Signer & ~Copyable
  ) throws -> (files: [ExportedFile], key: PublicKey) {
    var files: [ExportedFile] = []
    for format in formats {
      files += try ExportedFile.signature(of: list, as: format, by: signer, identity: identity)
    }
    return (files, signer.publicKey)
  }
}
