/// Who reads a diagnostic: facts and exit codes are the same for both, what to do next is not.
package enum Audience: Sendable {
  /// Runs `sealift-publish`.
  case publisher
  /// Runs `sealift`.
  case client
}
