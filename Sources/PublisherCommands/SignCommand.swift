import CommandErrors
import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import Trust
import StrictJSON

struct SignCommand: Command {
  static let name = ["sign"]
  static let summary = "adds a signature to a manifest"
  static let help = CommandHelp(
    operands: [OperandHelp("MANIFEST", "the manifest, as build wrote it or others signed it")],
    options: SignOptions.help,
    details: [
      "Shows what is about to be signed, makes the signature, verifies it, whoever made it, and replaces the file at "
        + "one instant; what others have signed stays byte for byte. Who has signed already is refused.",
      "COMMAND is split into words as a shell would, and run without one. It gets the bytes to sign as its standard "
        + "input, a plain file that it may also open as /dev/stdin, and prints the signature: 64 bytes, base64, or "
        + "hexadecimal digits. What it prints to standard error is shown.",
      "Where keys are kept off the network: --emit-payload writes one small file, any Ed25519 signer signs it "
        + "(openssl pkeyutl -sign -rawin, pkcs11-tool, minisign -S -l), and --attach takes the result.",
      "--check is for the start of a job: it opens the key or asks the signer for a signature of this manifest, which it "
        + "verifies and throws away; nothing is written. A clock that must be wrong, a release that has expired, and a "
        + "key that has signed fail it.",
      "The passphrase is asked for on the terminal unless an option says where it is. An ssh-agent takes "
        + "manifests of less than 256 KiB.",
    ],
    examples: [
      ExampleHelp(
        "sealift-publish sign manifests/tiny/1.0.0.json --key keys/release.key",
        "signs with a key file"
      ),
      ExampleHelp(
        "sealift-publish sign m.json --ssh-agent SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8",
        "signs with a key of the ssh-agent"
      ),
      ExampleHelp(
        "sealift-publish sign m.json --signer 'openssl pkeyutl -sign -inkey k.pem -rawin -in /dev/stdin' "
          + "--pub keys/release.pub",
        "signs with a program"
      ),
      ExampleHelp(
        "sealift-publish sign m.json --emit-payload > pae.bin",
        "takes the bytes to a machine that signs them"
      ),
      ExampleHelp(
        "sealift-publish sign m.json --attach s.bin --pub keys/release.pub",
        "brings the signature back"
      ),
    ],
    usage:
      "MANIFEST (--key FILE | --ssh-agent FINGERPRINT | --signer COMMAND --pub PUB | --attach FILE --pub PUB "
      + "| --emit-payload) [options]",
    goingOn: "run the same command again; the manifest was not changed"
  )

  private let path: String
  private let options: SignOptions

  init(_ arguments: inout ArgumentReader) throws(UsageError) {
    options = try SignOptions(&arguments)
    path = try arguments.operand("MANIFEST") { $0 }
    try arguments.finish()
  }

  func run(_ context: CommandContext) async throws -> ExitCode {
    let file = try ManifestFile(reading: path)
    let release = try file.release()
    switch options.task {
    case .sign(let source, isCheck: false): try await sign(file, release, source, context)
    case .sign(let source, isCheck: true): try await check(file, release, source, context)
    case .attach(let signature, let key): try attach(signature, key, file, release, context)
    case .emit(let output): try emit(file, release, output, context.console)
    }
    return .done
  }

  private func sign(
    _ file: ManifestFile,
    _ release: Release,
    _ source: SignerSource,
    _ context: CommandContext
  ) async throws {
    show(release, "signing", context.console)
    try context.console.warnIfExpired(release)
    let (signed, key) = try await source.sign(
      file.envelope,
      expecting: try expectedKeys(context),
      context
    )
    try write(signed, over: file, by: key, context.console)
    report(signed, by: key, release, source.word, context.console)
  }

  private func attach(
    _ signaturePath: String,
    _ argument: KeyArgument,
    _ file: ManifestFile,
    _ release: Release,
    _ context: CommandContext
  ) throws {
    let key = try argument.key(context).publicKey
    let signature: Signature
    do {
      signature = try SignatureFile.read(signaturePath)
    } catch let error as SignerError {
      throw context.explain(error).about("--attach \(signaturePath)")
    }
    show(release, "signing", context.console)
    try context.console.warnIfExpired(release)
    let signed = try file.envelope.attaching(signature, by: key)
    try write(signed, over: file, by: key, context.console)
    report(signed, by: key, release, "attached", context.console)
  }

  private func write(
    _ signed: Envelope,
    over file: ManifestFile,
    by key: PublicKey,
    _ console: Console
  ) throws {
    console.warnAboutForgeries(in: file.envelope, of: [key], "it is left out")
    try file.replace(with: signed)
    console.wrote(path)
  }

  private func emit(
    _ file: ManifestFile,
    _ release: Release,
    _ output: String?,
    _ console: Console
  ) throws {
    let bytes = file.envelope.signedBytes
    guard output != nil || !console.style.isJSON else {
      throw UsageError("with --json, --emit-payload needs --output FILE")
    }
    show(release, "what is to be signed of", console)
    if let output {
      try file.exportSignedBytes(to: output)
      console.wrote(output)
      console.print(output)
    } else {
      console.printVerbatim(bytes)
    }
    var members = facts(file.envelope, release)
    members["output"] = output.map { .string($0) }
    members["signedBytes"] = .integer(Int64(bytes.count))
    members["signedBytesSha256"] = .string(SHA256Digest(of: bytes).hex)
    console.summarize(members)
  }

  private func check(
    _ file: ManifestFile,
    _ release: Release,
    _ source: SignerSource,
    _ context: CommandContext
  ) async throws {
    show(release, "checking", context.console)
    let now = try Timestamp.current()
    try ClockFault.check(now, released: release.released)
    if let fault = Diagnostic(expiryOf: release, at: now) { throw fault }
    let (_, key) = try await source.sign(
      file.envelope,
      expecting: try expectedKeys(context),
      context
    )
    context.console.print("\(key) can sign \(path)")
    var members = facts(file.envelope, release)
    members["signer"] = .string(key.fingerprint.description)
    members["signedWith"] = .string(source.word)
    members["isWritten"] = .boolean(false)
    context.console.summarize(members)
  }

  private func expectedKeys(_ context: CommandContext) throws -> [PublicKey] {
    try options.signer.expectedKeys(context)
  }
}

// MARK: Words

extension SignCommand {
  private func show(_ release: Release, _ verb: String, _ console: Console) {
    console.inform("\(verb) \(path)")
    for line in ReleaseSummary(release).lines { console.inform(line) }
  }

  private func report(
    _ signed: Envelope,
    by key: PublicKey,
    _ release: Release,
    _ word: String,
    _ console: Console
  ) {
    console.print("signed by \(key.fingerprint)")
    console.inform("signatures: \(signed.signatures.count)")
    var members = facts(signed, release)
    members["signer"] = .string(key.fingerprint.description)
    members["signedWith"] = .string(word)
    members["signatures"] = .integer(Int64(signed.signatures.count))
    console.summarize(members)
  }

  private func facts(_ envelope: Envelope, _ release: Release) -> JSONObject {
    var members = ReleaseSummary(release).members
    members["path"] = .string(path)
    members["manifestSha256"] = .string(envelope.payloadDigest.hex)
    return members
  }
}
