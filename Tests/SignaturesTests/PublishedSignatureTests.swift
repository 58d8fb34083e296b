import Signatures
import Testing
import Vectors

/// The signature vectors of Project Wycheproof and of the authors of Ed25519.
struct PublishedSignatureTests {
  @Test(.vectors(.pycryptodome))
  func `Wycheproof vectors are judged as libsodium's strict rules say`() throws {
    var accepted: [WycheproofGroup.Verdict: Int] = [:]
    var refused: [WycheproofGroup.Verdict: Int] = [:]
    for group in try WycheproofGroup.ed25519() {
      for test in group.tests {
        if verifies(test, group) {
          accepted[test.result, default: 0] += 1
          #expect(!test.flags.contains("SmallOrderPublicKey"), "test \(test.tcId)")
        } else {
          refused[test.result, default: 0] += 1
          #expect(!test.flags.contains("MixedOrderPublicKey") || test.result == .invalid)
        }
      }
    }
    #expect(accepted == [.valid: 117, .acceptable: 21])
    #expect(refused == [.invalid: 64, .acceptable: 8])
  }

  private func verifies(_ test: WycheproofGroup.Test, _ group: WycheproofGroup) -> Bool {
    guard let key = try? PublicKey(bytes: bytes(group.publicKey.pk)),
      let signature = Signature(bytes: bytes(test.sig))
    else { return false }
    return key.verifies(signature, of: bytes(test.msg))
  }

  @Test(.vectors(.pycryptodome))
  func `the key of each Wycheproof group is read from all its forms, or from none`() throws {
    for group in try WycheproofGroup.ed25519() {
      let key = Result { try PublicKey(text: group.publicKey.pk) }
      let info = Result {
        try PublicKey(subjectPublicKeyInfo: bytes(group.publicKeyDer))
      }
      let pem = Result { try PublicKey(text: group.publicKeyPem) }
      #expect((try? key.get()) == (try? info.get()))
      #expect((try? key.get()) == (try? pem.get()))
    }
  }

  @Test(.vectors(.cryptography))
  func `keys and signatures of the authors' vectors are the same`() throws {
    let samples = try SignInput.all()
    #expect(samples.count == 1024)
    for sample in samples {
      var seed = sample.seed
      let key = try SecretKey(seed: SecretBytes(wiping: &seed))
      let signature = key.sign(sample.message)
      #expect(key.publicKey.bytes == sample.publicKey)
      #expect(signature.bytes == sample.signature)
      #expect(key.publicKey.verifies(signature, of: sample.message))
    }
  }
}
