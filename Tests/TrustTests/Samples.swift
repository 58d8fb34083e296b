import Manifests
import ReleaseSimulator
import StrictJSON
import Trust

/// The people and the release that most tests are about.
enum Samples {
  static let now = time(0)

  /// So many seconds after the time at which everything happens.
  static func time(_ seconds: Int64) -> Timestamp {
    guard let time = Timestamp(seconds: 1_800_000_000 + seconds) else { fatalError("a time") }
    return time
  }

  static func signers() throws -> (SimulatedSigner, SimulatedSigner, SimulatedSigner) {
    (try SimulatedSigner("a"), try SimulatedSigner("b"), try SimulatedSigner("c"))
  }

  static func release(_ model: String = "tiny", expires: Timestamp? = nil) throws
    -> SimulatedRelease
  {
    var release = try SimulatedRelease(
      model,
      files: [try SimulatedFile("config.json", Array("{}".utf8))]
    )
    release.details.expires = expires
    return release
  }

  static func document(_ text: String) throws -> JSONValue {
    try JSONReader.parse(Array(text.utf8))
  }
}

/// Returns the error that `body` throws; nil if it throws none.
func error<Value>(_ body: () throws(TrustError) -> Value) -> TrustError? {
  do { _ = try body() } catch { return error }
  return nil
}
