package import CommandLineKit
import Digests
import Manifests
import Publishing
import Signatures
import SystemFiles
import Trust

extension PublisherTool {
  /// Puts any error of `sealift-publish` into words, with the exit code that scripts act on.
  @Sendable package static func explain(_ error: any Error) -> Diagnostic {
    switch error {
    case let error as Diagnostic: error
    case let error as PublishingError: Diagnostic(error)
    case let error as ManifestError: Diagnostic(error)
    case let error as KeyError: Diagnostic(error)
    case let error as TrustError: Diagnostic(error)
    case let error as DigestError: Diagnostic(error)
    case let error as SystemError: Diagnostic(error)
    case is CancellationError: Diagnostic(.interrupted, "interrupted")
    default:
      Diagnostic(
        .internalError,
        "unexpected: \(error)",
        helps: ["this is a mistake in the program; please report it"]
      )
    }
  }
}

extension Diagnostic {
  init(_ error: SystemError) {
    let subject = error.path ?? "a file"
    if error.isNotFound {
      self.init(.notFound, "there is no \(subject)")
    } else if error.isDiskFull {
      self.init(
        .localFailure,
        kind: "noSpace",
        "\(subject): the disk is full",
        helps: ["free some space and run the command again"]
      )
    } else if error.isEscape {
      self.init(
        .localFailure,
        kind: "link",
        "\(subject) is a symbolic link, or lies behind one",
        helps: ["name the file itself"]
      )
    } else {
      self.init(.localFailure, "\(subject): \(error.reason)", notes: ["call: \(error.call)"])
    }
  }

  init(_ error: DigestError) {
    switch error {
    case .unreadable(let error): self.init(error)
    case .sizeChanged(let from, let to):
      self.init(
        .localFailure,
        kind: "fileChanged",
        "a file changed from \(from) to \(to) bytes while it was read"
      )
    case .cancelled: self.init(.interrupted, "interrupted")
    }
  }

  init(_ error: ManifestError) {
    switch error {
    case .text: self.init(.usage, error.text)
    case .release: self.init(.usage, kind: "noRelease", error.text)
    case .envelope: self.init(.notAccepted, kind: "noManifest", error.text)
    case .payload: self.init(.unusable, kind: "badManifest", error.text)
    case .signing(.alreadySigned):
      self.init(
        .usage,
        kind: "alreadySigned",
        error.text,
        notes: ["nothing was changed"],
        helps: ["sign with another key, or go on and publish"]
      )
    case .signing(.doesNotVerify): self.init(.notAccepted, kind: "badSignature", error.text)
    case .signing(.tooManySignatures): self.init(.usage, kind: "tooManySignatures", error.text)
    }
  }
}
