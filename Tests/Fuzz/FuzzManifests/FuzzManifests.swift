import CLibFuzzer
import Manifests

/// Reads the input as an envelope and as a payload; what is accepted must survive being written.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(ManifestError) {
    let envelope = try Envelope(parsing: bytes)
    precondition(try Envelope(parsing: envelope.encode()) == envelope, "the envelope changed")
  } catch { check(error) }
  do throws(ManifestError) {
    let release = try Release(payload: bytes)
    let written = release.encode()
    let again = try Release(payload: written)
    precondition(again == release && again.encode() == written, "the release changed")
  } catch { check(error) }
  return 0
}

private func check(_ error: ManifestError) {
  let isSafe = error.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  precondition(isSafe, "a message has control characters")
}

@main
struct FuzzManifests {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv
    _ = unsafe LLVMFuzzerRunDriver(&count, &arguments, fuzz)
  }
}
