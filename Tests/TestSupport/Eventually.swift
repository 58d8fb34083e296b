/// Looks again and again until `condition` holds, for what tells nobody that it changed, such as a file.
///
/// False after a minute in which it did not.
package func eventually(_ condition: () throws -> Bool) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while try !condition() {
    guard ContinuousClock.now < deadline else { return false }
    try await Task.sleep(for: .milliseconds(5))
  }
  return true
}
