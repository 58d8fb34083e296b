import FuzzDriver
import Signatures

/// Reads the input as what an agent answers, as what a signer prints, and as a command; what is accepted must survive
/// being written.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(SignerError) {
    for key in try AgentProtocol.keys(bytes) {
      let kind = key.kind ?? ""
      precondition(kind.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      precondition(Fingerprint(key.fingerprint.description) == key.fingerprint)
    }
  } catch {}
  do throws(SignerError) {
    let signature = try AgentProtocol.signature(bytes)
    precondition(signature.bytes.count == Signature.byteCount)
  } catch {}
  do throws(SignatureFault) { try check(try Signature(printed: bytes)) } catch {}
  do throws(SignerError) {
    check(try SignerCommand(String(decoding: bytes, as: UTF8.self)))
  } catch {}
  return 0
}

private func check(_ signature: Signature) throws(SignatureFault) {
  let again = try Signature(printed: Array(Base64.encode(signature.bytes).utf8))
  precondition(again == signature, "the signature changed")
}

private func check(_ command: SignerCommand) {
  let quoted = command.words.map { word in
    "'" + word.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }
  do throws(SignerError) {
    let again = try SignerCommand(quoted.joined(separator: " "))
    precondition(again.words.map { Array($0.utf8) } == command.words.map { Array($0.utf8) })
  } catch {
    preconditionFailure("what was written is refused: \(error)")
  }
}

@main
struct FuzzSigners {
  static func main() { unsafe runFuzzer(fuzz) }
}
