import Digests
import Manifests
import Signatures
import Testing

/// The published DSSE example with its payload and type, and further ones made with two libraries.
struct EnvelopeVectorTests {
  struct Vector: Sendable {
    let type, body: String
    let count: Int
    /// First and last digits of the SHA-256 of what is signed.
    let start, end: String
    let signature: String
  }

  static let statement = """
    {"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"a.bin","digest":{"sha256":\
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}],"predicateType":\
    "https://example.org/p/v1","predicate":{}}
    """

  static let secondSignature =
    "KDZxgIt3ZPBqSDcIZmJHL4KIEy3D/iUYApTuFMOc2BZQpdRvOy9lNQMx+3VKvTDlNCdhb2rY7pMk7I0CLTeNBg=="

  static let vectors = [
    Vector(
      type: "http://example.com/HelloWorld",
      body: "hello world",
      count: 54,
      start: "217751fa",
      end: "b6b6a1",
      signature:
        "4DHX3Zn4qpBKvEj7maE8O9u9bjXEnPLLnyXVUJ2PXJR8DSLcL3QDpFvfJOj3pB/SPHsl6Jg4boxsMb6KvuYABw=="
    ),
    Vector(
      type: "x/é",
      body: "{}",
      count: 18,
      start: "f2769cfc",
      end: "c1b5c",
      signature:
        "ue8gL5eN73YxOlzZ2aaPklS5wEG2AlaqpiI/3LYgGmotduRfxbwBTsL5Y12W6AWknSj2GQ3FvWlMqRmGNXSPBg=="
    ),
    Vector(
      type: "a",
      body: "",
      count: 13,
      start: "b48a33b5",
      end: "0df7c",
      signature:
        "MrrGacLt69tGW9KBNTxytG7FPu2DsV/JOH1d7QPtwuoz0CzbCKLLLGaRLJ5GNnNd1lo/F9BSuYP/YlNRJs1TAQ=="
    ),
    Vector(
      type: "",
      body: "",
      count: 12,
      start: "956e6250",
      end: "f636",
      signature:
        "+BTuvmwLJMuF1qw6dzCGkgkiPqn+rqRwFgzpeptbF5gKhIk/WixtVUaJwynonuqsYWfNWKUxeg95jW+/8h0PAA=="
    ),
    Vector(
      type: "application/vnd.in-toto+json",
      body: statement,
      count: 260,
      start: "e7f47a17",
      end: "c60737c",
      signature:
        "BGV1YDE/YHK8HdwiTrtcJDzvFfLeB8KUeCu6JDnb7z+KEXyCA7MRngkHOolembr3DMOFxj/PWZNupxRLKAWECA=="
    ),
  ]

  @Test(arguments: vectors)
  func `the signed bytes are those of the specification`(vector: Vector) {
    let bytes = Envelope.preAuthenticationEncoding(type: vector.type, body: Array(vector.body.utf8))
    let digest = SHA256Digest(of: bytes).hex
    #expect(bytes.count == vector.count)
    #expect(digest.hasPrefix(vector.start))
    #expect(digest.hasSuffix(vector.end))
  }

  @Test func `the example of the specification is written as it says`() {
    let bytes = Envelope.preAuthenticationEncoding(
      type: "http://example.com/HelloWorld",
      body: Array("hello world".utf8)
    )
    let expected = "DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test(arguments: vectors)
  func `a published signature verifies`(vector: Vector) throws {
    let envelope = Envelope(payloadType: vector.type, payload: Array(vector.body.utf8))
    let signature = try #require(Base64.decode(vector.signature).flatMap { Signature(bytes: $0) })
    let signed = try envelope.adding(signature, by: Keys.first)
    #expect(signed.signers(among: [Keys.second, Keys.first]) == [Keys.first])
    #expect(try Envelope(parsing: signed.encode()) == signed)
  }

  @Test(arguments: vectors)
  func `our signature is the published one`(vector: Vector) throws {
    let envelope = Envelope(payloadType: vector.type, payload: Array(vector.body.utf8))
    let signature = try Keys.sign(envelope.signedBytes, seed: Keys.firstSeed)
    #expect(Base64.encode(signature.bytes) == vector.signature)
  }

  @Test func `fingerprints are the published ones`() {
    #expect("\(Keys.first.fingerprint)" == "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8")
    #expect("\(Keys.second.fingerprint)" == "SHA256:F34nin7tcaYH6WR5LSWSfj6weFBPfBpuyUUoPFP9YjA")
  }

  @Test func `two signatures verify with two keys`() throws {
    let first = try #require(Self.vectors.last?.signature)
    let json = """
      {"payloadType":"application/vnd.in-toto+json",
       "payload":"\(Base64.encode(Array(Self.statement.utf8)))",
       "signatures":[{"sig":"\(Self.secondSignature)"},{"keyid":"x","sig":"\(first)"}]}
      """
    let envelope = try Envelope(parsing: Array(json.utf8))
    #expect(envelope.signers(among: [Keys.first, Keys.second]) == [Keys.first, Keys.second])
  }
}
