import CommandErrors
import CommandLineKit
import Manifests
import ModelFormats
import Publishing

extension Diagnostic {
  /// Puts into words what is allowed in a release and seldom meant.
  init(_ warning: BuildWarning) {
    switch warning {
    case .mirror(let advice): self.init(advice)
    case .noMirror:
      self.init(
        .done,
        kind: .noMirror,
        "the release names no mirror, so whoever installs it has to",
        helps: ["--mirror 'https://HOST/PATH/{name}' names one"]
      )
    case .structure(let path, let fault):
      self.init(.done, kind: DiagnosticKind(fault.code), "\(path): \(fault)")
    case .unverified(let path, let fault):
      self.init(
        .done,
        kind: DiagnosticKind(fault.code),
        "\(path) was not checked: \(fault)",
        notes: ["the manifest says so"]
      )
    case .licenseNotSPDX(let license):
      self.init(
        .done,
        kind: .licenseNotSPDX,
        "\(quoted(license.text)) is not an SPDX licence expression",
        helps: [
          "write an identifier such as MIT or Apache-2.0, several with AND or OR, any other as LicenseRef-NAME"
        ]
      )
    case .licenseConflict(let path, let stated, let found):
      self.init(
        .done,
        kind: .licenceConflict,
        "\(path) says another licence than --license",
        notes: ["stated: \(stated)", "in the file: \(escaped(found))"],
        helps: ["find out which one holds"]
      )
    case .runsCode(let path, let format):
      self.init(
        .done,
        kind: .runsCode,
        "\(path) is \(format): loading it can run code that is in it",
        helps: ["publish safetensors, GGUF or ONNX instead"]
      )
    case .forcedRuntime(let stated, let derived): self.init(forced: stated, below: derived)
    case .severalRuntimes(let needs): self.init(several: needs)
    }
  }

  /// Puts into words what there is to say about a mirror's URL.
  init(_ advice: MirrorAdvice) {
    switch advice {
    case .unencrypted(let mirror):
      self.init(
        .done,
        kind: .plainHTTP,
        "the mirror \(mirror) is not encrypted",
        notes: ["the bytes are verified anyway; others can see and stop the download"]
      )
    case .mutable(let mirror, let word):
      self.init(
        .done,
        kind: .mutableMirror,
        "the mirror \(mirror) moves: \(word) names no fixed state",
        helps: ["name a commit, a tag that never moves, or {sha256}"]
      )
    case .secret(let mirror, let parameters):
      self.init(
        .done,
        kind: .publishedSecret,
        "the mirror \(mirror) has what may be a secret in its URL, and the manifest publishes it",
        notes: parameters.prefix(16).map { "the parameter \(escaped($0)) has a value" },
        helps: [
          "name a URL that anybody may ask; a client brings its own token with sealift install --tokens FILE"
        ]
      )
    }
  }

  private init(forced stated: RuntimeRequirement, below derived: RuntimeRequirement) {
    self.init(
      .done,
      kind: .declaredBelowDerived,
      "\(stated.name) from \(escaped(stated.minimum)) on is stated, and the bytes need more",
      notes: ["needed: \(derived)", "the manifest says that this was forced"]
    )
  }

  private init(several needs: [FileNeeds]) {
    self.init(
      .done,
      kind: .severalRuntimes,
      "no one runtime loads all files of the release, so a client must have \(needs.count)",
      notes: needs.prefix(16).map { need in
        "\(need.file): \(need.anyOf.map(\.description).joined(separator: ", or "))"
      },
      helps: ["if they are one model in several formats, say so with --any-runtime"]
    )
  }
}
