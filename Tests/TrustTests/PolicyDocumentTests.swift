import Manifests
import ReleaseSimulator
import Signatures
import StrictJSON
import Testing
import Trust

struct PolicyDocumentTests {
  @Test func `a policy comes back from its document`() throws {
    let (a, b, c) = try Samples.signers()
    let sums = TrustedKey(
      publicKey: try SimulatedSigner("sums").publicKey,
      name: "sums",
      notAfter: Samples.time(1),
      isExportOnly: true
    )
    let policy = try TrustPolicy(
      keys: [a.trusted(until: Samples.now), b.trusted(), sums],
      rules: [
        TrustRule(models: ModelPattern("*"), keys: [a.fingerprint], threshold: 1),
        TrustRule(
          models: ModelPattern("acme/*"),
          keys: [b.fingerprint, a.fingerprint],
          threshold: 2
        ),
      ],
      withdrawnKeys: [c.fingerprint: "lost \"at sea\""],
      withdrawnManifests: [try Samples.release().digest(): "wrong tokenizer"]
    )
    let bytes = JSONWriter.pretty(policy.document)
    #expect(try TrustPolicy(document: JSONReader.parse(bytes)) == policy)
    let again = JSONWriter.pretty(try TrustPolicy(document: JSONReader.parse(bytes)).document)
    #expect(again == bytes)
    #expect(try TrustPolicy(document: TrustPolicy().document) == TrustPolicy())
  }

  @Test func `the document is the one that the code draws`() throws {
    let signer = try SimulatedSigner("release")
    let policy = try TrustPolicy.trusting([signer], for: "lfm2-*")
    let (name, key) = (signer.fingerprint, signer.publicKey.shortForm)
    let expected = try Samples.document(
      """
      {"schema":"sealift.trust/1","keys":{"\(name)":{"publicKey":"\(key)","name":"release"}},
      "rules":[{"models":"lfm2-*","keys":["\(name)"],"threshold":1}]}
      """
    )
    #expect(policy.document == expected)
    let exports = try TrustPolicy().adding(exportOnly: [signer.trusted()])
    let marked = try Samples.document(
      """
      {"schema":"sealift.trust/1","keys":{"\(name)":{"publicKey":"\(key)","name":"release","exportOnly":true}},
      "rules":[]}
      """
    )
    #expect(exports.document == marked)
  }

  /// Documents by what is wrong; `KEY`, `A` and `B` stand for a key and two fingerprints.
  private static let malformed: [(text: String, place: String, problem: String)] = [
    ("[]", "the document", "must be an object, not an array"),
    ("{}", "schema", "is missing"),
    (#"{"schema":1}"#, "schema", "must be a string, not an integer"),
    (#"{"schema":"sealift.trust/2","keys":{},"rules":[]}"#, "schema", "is not sealift.trust/1"),
    (#"{SCHEMA,"keys":{},"rules":[],"more":1}"#, "more", "is not known to this version"),
    (#"{SCHEMA,"rules":[]}"#, "keys", "is missing"),
    (#"{SCHEMA,"keys":{}}"#, "rules", "is missing"),
    (#"{SCHEMA,"keys":[],"rules":[]}"#, "keys", "must be an object, not an array"),
    (
      #"{SCHEMA,"keys":{"A":{"publicKey":"ed25519:x","name":"a"}},"rules":[]}"#,
      #"keys["A"].publicKey"#, "is not a public key"
    ),
    (#"{SCHEMA,"keys":{"A":{"publicKey":"KEY"}},"rules":[]}"#, #"keys["A"].name"#, "is missing"),
    (
      #"{SCHEMA,"keys":{"B":{"publicKey":"KEY","name":"a"}},"rules":[]}"#,
      #"keys["B"]"#, "is not the fingerprint of its public key"
    ),
    (
      #"{SCHEMA,"keys":{"A":{"publicKey":"KEY","name":"a","notAfter":"tomorrow"}},"rules":[]}"#,
      #"keys["A"].notAfter"#, "is not a time"
    ),
    (
      #"{SCHEMA,"keys":{"A":{"publicKey":"KEY","name":"a","notAfter":null}},"rules":[]}"#,
      #"keys["A"].notAfter"#, "must be a string, not null"
    ),
    (
      #"{SCHEMA,"keys":{"A":{"publicKey":"KEY","name":"a","role":"x"}},"rules":[]}"#,
      #"keys["A"].role"#, "is not known to this version"
    ),
    (
      #"{SCHEMA,"keys":{"A":{"publicKey":"KEY","name":"a","exportOnly":"yes"}},"rules":[]}"#,
      #"keys["A"].exportOnly"#, "must be true or false, not a string"
    ),
    (
      #"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["A"],"threshold":0}]}"#,
      "rules[0].threshold", "must be from 1 to 1000, not 0"
    ),
    (
      #"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["A"],"threshold":true}]}"#,
      "rules[0].threshold", "must be an integer, not true or false"
    ),
    (
      #"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["A","A"],"threshold":1}]}"#,
      "rules[0].keys", "has a wrong or repeated fingerprint"
    ),
    (
      #"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["SHA256:x"],"threshold":1}]}"#,
      "rules[0].keys", "has a wrong or repeated fingerprint"
    ),
    (
      #"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["A"],"threshold":1,"unless":"y"}]}"#,
      "rules[0].unless", "is not known to this version"
    ),
    (
      #"{SCHEMA,"keys":{},"rules":[],"withdrawn":{"releases":{}}}"#,
      "withdrawn.releases", "is not known to this version"
    ),
    (
      #"{SCHEMA,"keys":{},"rules":[],"withdrawn":{"keys":{"a":"lost"}}}"#,
      "withdrawn.keys.a", "is not named by a fingerprint or digest"
    ),
    (
      #"{SCHEMA,"keys":{},"rules":[],"withdrawn":{"manifests":{"AB":"x"}}}"#,
      "withdrawn.manifests.AB", "is not named by a fingerprint or digest"
    ),
    (
      #"{SCHEMA,"keys":{},"rules":[],"withdrawn":{"keys":{"A":1}}}"#,
      #"withdrawn.keys["A"]"#, "must be a string, not an integer"
    ),
  ]

  private static func filled(_ text: String) throws -> String {
    let (a, b, _) = try Samples.signers()
    let words = [
      ("SCHEMA", #""schema":"sealift.trust/1""#),
      ("KEYS", #""keys":{"A":{"publicKey":"KEY","name":"a"}}"#), ("KEY", a.publicKey.shortForm),
      (#""A""#, "\"\(a.fingerprint)\""), (#""B""#, "\"\(b.fingerprint)\""),
    ]
    return words.reduce(text) { text, word in
      text.split(separator: word.0, omittingEmptySubsequences: false).joined(separator: word.1)
    }
  }

  @Test(arguments: malformed)
  func `a malformed document is refused with the place`(
    text: String,
    place: String,
    problem: String
  ) throws {
    let document = try Samples.document(Self.filled(text))
    let expected = TrustError.badPolicy(place: try Self.filled(place), problem: problem)
    #expect(throws: expected) { try TrustPolicy(document: document) }
  }

  @Test func `rules that contradict the keys are refused`() throws {
    let (a, b, _) = try Samples.signers()
    func read(_ text: String) throws -> TrustPolicy {
      try TrustPolicy(document: Samples.document(Self.filled(text)))
    }
    #expect(throws: TrustError.unknownKey(b.fingerprint, try ModelPattern("x"))) {
      try read(#"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["B"],"threshold":1}]}"#)
    }
    #expect(throws: TrustError.badThreshold(2, keys: 1)) {
      try read(#"{SCHEMA,KEYS,"rules":[{"models":"x","keys":["A"],"threshold":2}]}"#)
    }
    #expect(throws: TrustError.badPattern("X")) {
      try read(#"{SCHEMA,KEYS,"rules":[{"models":"X","keys":["A"],"threshold":1}]}"#)
    }
    #expect(throws: TrustError.exportKeyInRule(a.fingerprint, try ModelPattern("x"))) {
      try read(
        #"{SCHEMA,"keys":{"A":{"publicKey":"KEY","name":"a","exportOnly":true}},"#
          + #""rules":[{"models":"x","keys":["A"],"threshold":1}]}"#
      )
    }
    let rule = #"{"models":"x","keys":["A"],"threshold":1}"#
    #expect(throws: TrustError.repeatedPattern(try ModelPattern("x"))) {
      try read("{SCHEMA,KEYS,\"rules\":[\(rule),\(rule)]}")
    }
    #expect(try read("{SCHEMA,KEYS,\"rules\":[\(rule)]}") == .trusting([a], for: "x"))
  }
}
