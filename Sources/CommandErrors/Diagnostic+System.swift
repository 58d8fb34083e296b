package import CommandLineKit
package import Digests
package import SystemFiles

extension Diagnostic {
  /// What a failed call comes to: 3 for what is missing, 8 for anything else, such as what cannot be made.
  package init(_ error: SystemError) {
    let subject = error.subject ?? "a file"
    if error.isMissing, error.isCreation {
      self.init(
        .localFailure,
        kind: .noFolder,
        "\(subject) cannot be made",
        notes: ["its folder takes no new names, or a link leads to nothing"],
        helps: ["choose another folder"]
      )
    } else if error.isMissing {
      self.init(.notFound, kind: .noSuchFile, "there is no \(subject)")
    } else if error.isNotFound {
      self.init(
        .localFailure,
        kind: .noFolder,
        "\(subject) cannot be reached",
        notes: ["something that is no folder, or a link, stands in its path"],
        helps: ["move away what stands there"]
      )
    } else if error.isReadFolder {
      self.init(
        .localFailure,
        kind: .noFile,
        "\(subject) is a folder",
        helps: ["name a file in it, or another one"]
      )
    } else if error.isNoFile {
      self.init(
        .localFailure,
        kind: .noFile,
        "\(subject) is no plain file",
        notes: ["call: \(error.call)"],
        helps: ["move away what stands there"]
      )
    } else if error.isDiskFull {
      self.init(
        .localFailure,
        kind: .noSpace,
        "\(subject): the disk is full",
        helps: ["free some space and run the same command again"]
      )
    } else if error.isEscape {
      self.init(
        .localFailure,
        kind: .link,
        "\(subject) is a symbolic link, or lies behind one",
        helps: ["name the file itself"]
      )
    } else if error.isElsewhere {
      self.init(
        .localFailure,
        kind: .otherFileSystem,
        "\(subject) lies on another file system",
        notes: ["call: \(error.call)"],
        helps: ["keep the folders of a store on one file system"]
      )
    } else {
      let reason = "\(error.reason.prefix(1).lowercased())\(error.reason.dropFirst())"
      self.init(.localFailure, "\(subject): \(reason)", notes: ["call: \(error.call)"])
    }
  }

  /// Why a file could not be hashed.
  package init(_ error: DigestError) {
    switch error {
    case .unreadable(let error): self.init(error)
    case .sizeChanged(let from, let to):
      self.init(
        .localFailure,
        kind: .fileChanged,
        "a file changed from \(from) to \(to) bytes while it was read"
      )
    case .cancelled: self.init(.interrupted, "interrupted")
    }
  }
}
