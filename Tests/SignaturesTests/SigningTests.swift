import Digests
import Signatures
import Testing
import Vectors

/// One row of the tables of RFC 8032 section 7.1.
struct SigningSample: Sendable {
  let seed: String
  let publicKey: String
  let message: String
  let signature: String
}

/// One message as DSSE signs it, with the signature that other implementations make of it.
struct EnvelopeSample: Sendable {
  let type: String
  let body: String
  let byteCount: Int
  let digestStart: String
  let signature: String

  /// The bytes that are signed: `DSSEv1`, and type and body after their lengths.
  var message: [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(body.utf8.count) \(body)".utf8)
  }
}

struct SigningTests {
  static let samples = [
    SigningSample(
      seed: SampleKeys.firstSeed,
      publicKey: SampleKeys.firstPublic,
      message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
        + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    SigningSample(
      seed: SampleKeys.secondSeed,
      publicKey: SampleKeys.secondPublic,
      message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
    SigningSample(
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
    SigningSample(
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      // The SHA-512 of "abc".
      message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
    ),
  ]

  static let envelopes = [
    EnvelopeSample(
      type: "http://example.com/HelloWorld",
      body: "hello world",
      byteCount: 54,
      digestStart: "217751fa",
      signature:
        "4DHX3Zn4qpBKvEj7maE8O9u9bjXEnPLLnyXVUJ2PXJR8DSLcL3QDpFvfJOj3pB/SPHsl6Jg4boxsMb6KvuYABw=="
    ),
    EnvelopeSample(
      type: "x/é",
      body: "{}",
      byteCount: 18,
      digestStart: "f2769cfc",
      signature:
        "ue8gL5eN73YxOlzZ2aaPklS5wEG2AlaqpiI/3LYgGmotduRfxbwBTsL5Y12W6AWknSj2GQ3FvWlMqRmGNXSPBg=="
    ),
    EnvelopeSample(
      type: "a",
      body: "",
      byteCount: 13,
      digestStart: "b48a33b5",
      signature:
        "MrrGacLt69tGW9KBNTxytG7FPu2DsV/JOH1d7QPtwuoz0CzbCKLLLGaRLJ5GNnNd1lo/F9BSuYP/YlNRJs1TAQ=="
    ),
    EnvelopeSample(
      type: "",
      body: "",
      byteCount: 12,
      digestStart: "956e6250",
      signature:
        "+BTuvmwLJMuF1qw6dzCGkgkiPqn+rqRwFgzpeptbF5gKhIk/WixtVUaJwynonuqsYWfNWKUxeg95jW+/8h0PAA=="
    ),
    EnvelopeSample(
      type: "application/vnd.in-toto+json",
      body: statement,
      byteCount: 260,
      digestStart: "e7f47a17",
      signature:
        "BGV1YDE/YHK8HdwiTrtcJDzvFfLeB8KUeCu6JDnb7z+KEXyCA7MRngkHOolembr3DMOFxj/PWZNupxRLKAWECA=="
    ),
  ]

  static let statement =
    #"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"a.bin","digest":{"sha256":"#
    + #""e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}],"predicateType":"#
    + #""https://example.org/p/v1","predicate":{}}"#

  @Test(arguments: samples)
  func `a seed gives the key and the signature of RFC 8032`(sample: SigningSample) throws {
    let key = try SecretKey(hexSeed: sample.seed)
    #expect(key.publicKey.bytes == bytes(sample.publicKey))
    #expect(key.sign(bytes(sample.message)).bytes == bytes(sample.signature))
    let signature = try #require(Signature(bytes: bytes(sample.signature)))
    #expect(key.publicKey.verifies(signature, of: bytes(sample.message)))
  }

  @Test(arguments: envelopes)
  func `the signed bytes of an envelope get the signature of other implementations`(
    sample: EnvelopeSample
  ) throws {
    let message = sample.message
    #expect(message.count == sample.byteCount)
    #expect(SHA256Digest(of: message).hex.hasPrefix(sample.digestStart))
    let key = try SampleKeys.first()
    #expect(Base64.encode(key.sign(message).bytes) == sample.signature)
    #expect(key.publicKey.verifies(key.sign(message), of: message))
  }

  @Test func `the second key signs the statement as other implementations do`() throws {
    let message = try #require(Self.envelopes.last?.message)
    #expect(
      Base64.encode(try SampleKeys.second().sign(message).bytes)
        == "KDZxgIt3ZPBqSDcIZmJHL4KIEy3D/iUYApTuFMOc2BZQpdRvOy9lNQMx+3VKvTDlNCdhb2rY7pMk7I0CLTeNBg=="
    )
  }

  @Test func `two new keys differ and sign`() throws {
    let one = SecretKey()
    let other = SecretKey()
    #expect(one.publicKey != other.publicKey)
    let signature = try one.verifiedSignature(of: [1, 2, 3])
    #expect(one.publicKey.verifies(signature, of: [1, 2, 3]))
    #expect(!other.publicKey.verifies(signature, of: [1, 2, 3]))
  }

  @Test(arguments: [0, 31, 33, 64])
  func `a seed of another length is refused`(count: Int) {
    #expect(throws: KeyError.wrongLength(expected: 32, found: count)) {
      var seed = [UInt8](repeating: 7, count: count)
      _ = try SecretKey(seed: SecretBytes(wiping: &seed))
    }
  }

  /// A signer that returns what another key, or nobody, signed.
  struct WrongSigner: Signer {
    let publicKey: PublicKey
    let result: Signature
    func sign(_ message: [UInt8]) -> Signature { result }
  }

  @Test func `what a signer returns is refused unless it verifies`() throws {
    let key = try SampleKeys.first()
    let other = try SampleKeys.second()
    let signer = WrongSigner(publicKey: key.publicKey, result: other.sign([1]))
    #expect(throws: KeyError.signatureDoesNotVerify(by: key.publicKey.fingerprint)) {
      try signer.verifiedSignature(of: [1])
    }
  }
}
