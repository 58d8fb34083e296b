/// What is to be installed.
public enum ModelSource: Hashable, Sendable {
  /// The manifest of a release, as bytes; its signatures are checked like those of any other.
  case manifest([UInt8])
  /// The manifest in a file.
  case file(String)
  /// The manifest at an `https`, `http` or `file` URL.
  case url(String)
  /// What an interrupted install of this model was to install, as ``ModelLibrary/interruptedInstalls()`` lists it.
  case interrupted(String)
}

/// How a release is installed.
public struct InstallOptions: Hashable, Sendable {
  /// Whether the release becomes the active version; otherwise it is ready and the active version stays.
  public var activates = true
  /// Whether a version is accepted below one that was active before.
  public var allowsDowngrade = false

  /// Makes the defaults.
  public init() {}
}
