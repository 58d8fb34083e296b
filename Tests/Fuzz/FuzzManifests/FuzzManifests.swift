import FuzzDriver
import Manifests

/// Reads the input as an envelope and as a payload; what is accepted must survive being written.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(ManifestError) {
    check(try Envelope(parsing: bytes))
  } catch { check(error) }
  do throws(ManifestError) {
    check(try Release(payload: bytes))
  } catch { check(error) }
  return 0
}

private func check(_ envelope: Envelope) {
  do throws(ManifestError) {
    let again = try Envelope(parsing: envelope.encode())
    precondition(again == envelope, "the envelope changed")
  } catch { preconditionFailure("what was written is refused: \(error)") }
}

private func check(_ release: Release) {
  let written = release.encode()
  do throws(ManifestError) {
    let again = try Release(payload: written)
    precondition(again == release && again.encode() == written, "the release changed")
  } catch { preconditionFailure("what was written is refused: \(error)") }
}

private func check(_ error: ManifestError) {
  let isSafe = error.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  precondition(isSafe, "a message has control characters")
}

@main
struct FuzzManifests {
  static func main() { unsafe runFuzzer(fuzz) }
}
