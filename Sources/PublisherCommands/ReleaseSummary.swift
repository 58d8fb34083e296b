import CommandLineKit
import Manifests
import StrictJSON

/// What a person should know of a release before acting on it, as lines and as JSON members.
struct ReleaseSummary {
  private let release: Release

  init(_ release: Release) { self.release = release }

  var lines: [String] {
    [
      "model:    \(release.model)",
      "version:  \(release.version)",
      "files:    \(counted(release.files.count, "file")), \(exactBytesText(release.size))",
      "expires:  \(release.details.expires?.text ?? "never")",
    ]
  }

  var members: JSONObject {
    var members: JSONObject = [
      "model": .string(release.model.text),
      "version": .string(release.version.text),
      "files": .integer(Int64(release.files.count)),
      "size": .integer(Int64(release.size)),
    ]
    members["expires"] = (release.details.expires?.text).map { .string($0) }
    return members
  }
}
