import CommandErrors
import CommandLineKit
import Manifests
import ModelFormats
import Publishing
import Signatures

extension Diagnostic {
  init(_ error: PublishingError) {
    switch error {
    case .nothingThere(let path): self.init(.notFound, kind: .noSuchFile, "there is no \(path)")
    case .folderAmongOthers(let path):
      self.init(
        .usage,
        "\(path) is a folder among other paths",
        helps: ["name files, or exactly one folder"]
      )
    case .emptyRelease(let folder):
      self.init(.usage, kind: .noFiles, "there is no file in \(folder)")
    case .unfit(let files): self.init(unfit: files)
    case .changedWhileRead(let path):
      self.init(
        .localFailure,
        kind: .fileChanged,
        "\(path) changed while it was read",
        helps: ["wait until nothing writes to it, then run the command again"]
      )
    case .mirrorOfOneFile(let mirror, let count):
      self.init(
        .usage,
        kind: .mirrorOfOneFile,
        "the mirror \(mirror) gives \(count) files the same URL",
        helps: ["put {name} or {sha256} where the URLs differ"]
      )
    case .secretInMirror(let mirror, let parameters):
      let warning = Diagnostic(MirrorAdvice.secret(mirror, parameters: parameters))
      self.init(
        .usage,
        kind: .publishedSecret,
        warning.message,
        notes: warning.notes,
        helps: warning.helps
      )
    default: self.init(aboutValue: error)
    }
  }

  /// What is wrong with a value, a manifest's place or a key's.
  private init(aboutValue error: PublishingError) {
    switch error {
    case .badRuntime(let text):
      self.init(
        .usage,
        "\(quoted(text)) does not say from which version on a runtime works",
        helps: [
          "write NAME:MIN, as llama.cpp:b5873, or NAME:SCHEME:MIN with build, semver, dotted or exact"
        ]
      )
    case .badDeclaration(let text):
      self.init(
        .usage,
        "\(quoted(text)) is not NAME:SIZE:SHA256",
        helps: ["give the size in bytes, 1 or more, as plain digits, and 64 digits of 0-9 and a-f"]
      )
    case .badSourceDate(let text):
      self.init(
        .usage,
        "SOURCE_DATE_EPOCH is \(quoted(text)), not a count of seconds since 1970",
        helps: ["git log -1 --format=%ct prints one, or use --released"]
      )
    case .badKeyName(let text):
      self.init(
        .usage,
        "\(quoted(text)) is no name of a key",
        helps: ["use letters, digits, dots and hyphens; --dir DIR says where the key goes"]
      )
    default: self.init(aboutRuntime: error)
    }
  }

  /// How the stated runtimes and the bytes disagree.
  private init(aboutRuntime error: PublishingError) {
    switch error {
    case .runtimeTooLow(let stated, let derived):
      self.init(
        .unusable,
        kind: .declaredBelowDerived,
        "\(stated.name) from \(quoted(stated.minimum)) on is stated, and the bytes need more",
        notes: ["needed: \(derived)"],
        helps: ["state at least \(derived.minimum), or insist with --force-runtime"]
      )
    case .runtimeCountsOtherwise(let stated, let derived):
      self.init(
        .unusable,
        kind: .declaredInOtherScheme,
        "\(stated.name) from \(quoted(stated.minimum)) on is stated in the scheme \(stated.scheme), and what the "
          + "bytes need in the scheme \(derived.scheme)",
        notes: ["needed: \(derived)"],
        helps: [
          "state it as --runtime \(derived.name):\(derived.scheme):\(derived.minimum) or higher"
        ]
      )
    case .runtimesExclude(let needs):
      let names = Set(needs.map(\.requirement.name.text)).sorted().joined(separator: ", ")
      self.init(
        .unusable,
        kind: .runtimesExclude,
        "no version of \(names) has all that the release needs",
        notes: needs.prefix(16).map { "\($0.file.map(\.text) ?? "--runtime"): \($0.requirement)" },
        helps: ["state a version that all of it allows, or make a release of each file"]
      )
    case .severalDevices(let devices):
      self.init(
        .usage,
        "files that are bound to one device cannot be for several",
        notes: devices.prefix(16).map { "stated: \($0.name) \(escaped($0.minimum))" },
        helps: ["state one, and make a release of its own for each of the others"]
      )
    case .unknownRuntime(let names):
      self.init(
        .unusable,
        kind: .unknownRuntime,
        "the bytes do not tell from which runtime on they can be loaded",
        notes: names.prefix(16).map { "not known: \(escaped($0))" },
        helps: ["state what loads it, as --runtime llama.cpp:b10600 or onnxruntime:1.18.0"]
      )
    default: self.init(aboutFile: error)
    }
  }

  private init(aboutFile error: PublishingError) {
    switch error {
    case .manifestInsideRelease(let manifest, let folder):
      self.init(
        .usage,
        kind: .manifestInsideRelease,
        "the manifest \(manifest) would lie in \(folder), the folder that it seals",
        helps: ["write it elsewhere with --output FILE"]
      )
    case .signedManifestThere(let path, let signatures):
      self.init(
        .usage,
        kind: .signedManifestThere,
        "\(path) holds another release, which is signed",
        notes: ["signatures: \(signatures)", "nothing was changed"],
        helps: ["a release is immutable: give this one a new version, or remove the file"]
      )
    case .noManifest(let path, let problem): self = Diagnostic(problem).about(path)
    case .otherFileThere(let path):
      self.init(
        .usage,
        kind: .otherFileThere,
        "\(path) is no manifest, and is not overwritten",
        helps: ["choose another file with --output"]
      )
    case .manifestChanged(let path):
      self.init(
        .busy,
        kind: .manifestChanged,
        "\(path) was changed by somebody else meanwhile; nothing was written",
        helps: ["run the command again"]
      )
    case .outputIsInput(let path):
      self.init(
        .usage,
        kind: .outputIsInput,
        "\(path) is the manifest itself, and is not overwritten",
        helps: ["choose another file with --output"]
      )
    case .otherOutputThere(let path):
      self.init(
        .usage,
        kind: .exportThere,
        "\(path) exists with other contents; nothing was written",
        helps: ["choose another file with --output, or move that one away"]
      )
    case .notMerged(let path, let problem):
      self = Diagnostic(ManifestError.signing(problem)).about(path)
    case .keyThere(let path):
      self.init(
        .usage,
        kind: .keyThere,
        "\(path) exists, and keys are never overwritten",
        helps: [
          "choose another name or folder, or move the old files away",
          "if the public half is missing, sealift-publish key export FILE --format spki writes it",
        ]
      )
    case .otherPublicKey(let path, let expected, let found):
      self.init(
        .usage,
        kind: .otherPublicKey,
        "\(path) is the public key of another private key",
        notes: ["expected \(expected)", "found \(found)"]
      )
    default: self.init(aboutExport: error)
    }
  }

  private init(aboutExport error: PublishingError) {
    switch error {
    case .keptDocumentThere(let path, let document):
      self.init(
        .usage,
        kind: .exportThere,
        "\(path) is \(document.words), which no export replaces; nothing was written",
        helps: ["choose another place with --output, or move that file away"]
      )
    case .exportThere(let path):
      self.init(
        .usage,
        kind: .exportThere,
        "\(path) exists with other contents; nothing was written",
        helps: ["choose another place with --output, or replace it with --force"]
      )
    case .noMirrorToExport(let path):
      self.init(
        .usage,
        kind: .noMirror,
        "\(path) has no http or https mirror, and Metalink needs one for each file",
        helps: ["--mirror 'https://HOST/PATH/{name}' names one"]
      )
    case .otherBytes(let path, let expected, let found):
      self.init(
        .wrongBytes,
        "\(path) is not the file of the manifest; nothing was written",
        notes: ["expected SHA-256 \(expected)", "found SHA-256 \(found)"],
        helps: ["name the folder with the files of this release after --files"]
      )
    case .badIdentity(let text):
      self.init(
        .usage,
        "\(quoted(text)) cannot name a signer",
        helps: ["use letters, digits and @._+-, as release@example.com"]
      )
    default: self.init(.internalError, "unexpected: \(error)")
    }
  }
}
