package import Verification

/// How much of each file is read back from a mirror.
package enum CheckDepth: Hashable, Sendable {
  case samples(SampleChoice)
  /// Every byte.
  case everything
}
