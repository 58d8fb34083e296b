import FuzzDriver
import Signatures

/// Reads the input as a public key and as a private key file; what is accepted must survive being written.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(KeyError) {
    check(try PublicKey(text: bytes))
  } catch {
    precondition(error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }
  do throws(KeyError) {
    let key = try PrivateKeyFile(text: SecretBytes(copying: bytes.span)).open(with: nil)
    precondition(key.publicKey.verifies(key.sign(bytes), of: bytes), "the key does not sign")
  } catch {
    precondition(error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }
  return 0
}

private func check(_ key: PublicKey) {
  for written in [key.pem(name: "key"), key.shortForm, key.openSSHLine] {
    do throws(KeyError) {
      let again = try PublicKey(text: written)
      precondition(again == key, "the key changed")
    } catch {
      preconditionFailure("what was written is refused: \(error)")
    }
  }
}

@main
struct FuzzKeys {
  static func main() { unsafe runFuzzer(fuzz) }
}
