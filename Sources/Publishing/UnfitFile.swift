package import Manifests
package import ModelFormats

/// Something that cannot be in a release, and why.
package struct UnfitFile: Equatable, Sendable {
  package enum Reason: Equatable, Sendable {
    /// A symbolic link: what it points to can change, and is not in the release.
    case link
    /// A device, pipe or socket.
    case special
    /// The name begins with a dot, which no file of a release has.
    case hidden
    /// The name breaks another rule.
    case name(TextFault)
    /// A folder without files, which a manifest cannot describe.
    case emptyFolder
    /// The file is a private key.
    case privateKey
    /// What the file holds is no model, or not the one that its name or the publisher says.
    case content(FormatProblem)
    /// The publisher stated one format, and the file has another.
    case format(stated: FormatName, found: FormatName)
  }

  /// The path as a person would find it.
  package let path: String
  package let reason: Reason

  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}
