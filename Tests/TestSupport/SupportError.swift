/// What went wrong in the machinery of the tests, rather than in what they test.
package enum SupportError: Error, Hashable, Sendable {
  /// A C function failed with this `errno` value.
  case failed(call: String, code: CInt)
  /// No program of this name is built or installed.
  case noProgram(String)
  /// A program that should have done its work ended with this text on its standard error.
  case programFailed(String, message: String)
  /// Something that should have started did not do so in time.
  case notStarted(String)
}
