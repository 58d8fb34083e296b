import Signatures
import StrictJSON
import TUFSimulator
import Testing
import Trust

/// 4.3, 5.3.4 and the like: keyids and thresholds.
struct SignatureCountTests {
  private static let message = Array("signed".utf8)

  /// The test value of the reference: key 1 of RFC 8032.
  @Test func `the name of a key is the hash of its canonical object`() throws {
    let text = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    let key = MetadataKey(try PublicKey(hex: text))
    #expect(key.id.text == "74c181c7ad8a0855d4b55e44d2ba87aabdddb196832571f15f92fece332e4916")
    #expect(key.computedID == key.id && key.fault == nil)
    #expect(key.publicKey == (try PublicKey(hex: text)))
  }

  private static func count(
    _ keys: [SimulatedKey],
    threshold: Int,
    listing: [SimulatedKey]? = nil,
    signatures: [MetadataSignature]
  ) -> SignatureCount {
    RoleKeys(keys, threshold: threshold)
      .count(signatures, over: message, keys: KeyTable(listing ?? keys))
  }

  @Test func `each kind of key counts`() throws {
    let keys = [
      try SimulatedKey("a"), SimulatedKey.ecdsa(),
      SimulatedKey.ecdsa(keyType: "ecdsa-sha2-nistp256"), SimulatedKey.rsa(),
    ]
    let signatures = try keys.map { try $0.sign(Self.message) }
    let count = Self.count(keys, threshold: 4, signatures: signatures)
    #expect(count.isMet && count.counted == keys.map(\.id) && count.ignored.isEmpty)
  }

  @Test func `one signature fewer than the threshold is too few`() throws {
    let keys = [try SimulatedKey("a"), try SimulatedKey("b"), try SimulatedKey("c")]
    let one = [try keys[0].sign(Self.message)]
    let count = Self.count(keys, threshold: 2, signatures: one)
    #expect(!count.isMet && count.counted == [keys[0].id])
    #expect(count.ignored.map(\.reason) == [.unsigned, .unsigned])
    let two = one + [try keys[2].sign(Self.message)]
    #expect(Self.count(keys, threshold: 2, signatures: two).isMet)
  }

  @Test func `a role that lists a key many times counts it once`() throws {
    let key = try SimulatedKey("a")
    let count = Self.count(
      [key, key, key],
      threshold: 2,
      signatures: [try key.sign(Self.message)]
    )
    #expect(!count.isMet && count.counted == [key.id] && count.ignored.isEmpty)
  }

  @Test func `one public key under two names counts once`() throws {
    for key in [try SimulatedKey("a"), SimulatedKey.ecdsa()] {
      let twin = key.relisted(["note": "the same"])
      #expect(twin.id != key.id && twin.listed.fault == nil)
      let signatures = [try key.sign(Self.message), try twin.sign(Self.message)]
      let count = Self.count([key, twin], threshold: 2, signatures: signatures)
      #expect(!count.isMet && count.counted == [key.id])
      #expect(count.ignored.map(\.reason) == [.sameKey(as: key.id)])
    }
  }

  @Test func `a key whose name is wrong counts for nothing, and the others count`() throws {
    let (good, other) = (try SimulatedKey("a"), try SimulatedKey("b"))
    let bad = other.misnamed("abcd")
    let signatures = [try good.sign(Self.message), try bad.sign(Self.message)]
    let count = Self.count([bad, good], threshold: 1, signatures: signatures)
    #expect(count.isMet && count.counted == [good.id])
    #expect(count.ignored.map(\.reason) == [.faulty(.wrongID(expected: other.id))])
    #expect(!Self.count([bad, good], threshold: 2, signatures: signatures).isMet)
  }

  @Test func `a key that cannot count is named as such, signed or not`() throws {
    let bad = try SimulatedKey("b").misnamed("abcd")
    let fault = KeyFault.wrongID(expected: try SimulatedKey("b").id)
    let unsigned = Self.count([bad], threshold: 1, signatures: [])
    #expect(unsigned.ignored.map(\.reason) == [.faulty(fault)])
    let anyName = RoleKeys([bad]).count(anyOf: [[0]], over: Self.message, keys: KeyTable([bad]))
    #expect(anyName.ignored.map(\.reason) == [.faulty(fault)])
  }

  @Test func `keyid_hash_algorithms has no effect but on the name`() throws {
    let key = try SimulatedKey("a").relisted(["keyid_hash_algorithms": ["md5"]])
    #expect(Self.count([key], threshold: 1, signatures: [try key.sign(Self.message)]).isMet)
  }

  @Test(arguments: ["", "0", "zz", "+f", "00", " ", "\u{FF10}\u{FF10}"])
  func `a broken signature spoils nothing`(hex: String) throws {
    let (good, other) = (try SimulatedKey("a"), try SimulatedKey("b"))
    let signatures = [
      MetadataSignature(keyID: other.id, hex: hex), try good.sign(Self.message),
    ]
    let count = Self.count([other, good], threshold: 1, signatures: signatures)
    #expect(count.isMet && count.counted == [good.id])
    #expect(count.ignored.map(\.reason) == [.wrongSignature])
  }

  @Test func `a signature of other bytes, or by another key, counts for nothing`() throws {
    let (key, other) = (try SimulatedKey("a"), try SimulatedKey("b"))
    let stolen = MetadataSignature(keyID: key.id, hex: try other.sign(Self.message).hex)
    #expect(!Self.count([key], threshold: 1, signatures: [stolen]).isMet)
    let old = try key.sign(Self.message + [0])
    #expect(!Self.count([key], threshold: 1, signatures: [old]).isMet)
  }

  @Test func `a key that the role does not name counts for nothing`() throws {
    let (key, other) = (try SimulatedKey("a"), try SimulatedKey("b"))
    let count = Self.count(
      [key],
      threshold: 1,
      listing: [key, other],
      signatures: [try other.sign(Self.message)]
    )
    #expect(!count.isMet && count.counted.isEmpty)
  }

  @Test func `a role may name a key that is not listed`() throws {
    let (key, other) = (try SimulatedKey("a"), try SimulatedKey("b"))
    let signatures = [try key.sign(Self.message), try other.sign(Self.message)]
    let count = Self.count([other, key], threshold: 1, listing: [key], signatures: signatures)
    #expect(count.isMet && count.ignored.map(\.reason) == [.unlisted])
  }

  @Test(arguments: [
    (#"{}"#, KeyFault.incomplete),
    (#"{"keytype":"ed25519","scheme":"ed25519","keyval":{}}"#, .incomplete),
    (#"{"keytype":"ed25519","scheme":"ed25519","keyval":{"public":null}}"#, .incomplete),
    (#"{"keytype":"ed25519","scheme":"ed25519","keyval":[]}"#, .incomplete),
    (#"{"keytype":1,"scheme":"ed25519","keyval":{"public":"00"}}"#, .incomplete),
    (
      #"{"keytype":"ed25519","scheme":"ed25519","keyval":{"public":"00"}}"#,
      .malformed(.unrecognized)
    ),
    (
      #"{"keytype":"ed25519","scheme":"ed25519","keyval":{"public":"0100000000000000000000000000000000000000000000000000000000000000"}}"#,
      .malformed(.smallOrder)
    ),
    (
      #"{"keytype":"ecdsa","scheme":"ecdsa-sha2-nistp256","keyval":{"public":"04aa"}}"#,
      .malformed(.unrecognized)
    ),
    (
      #"{"keytype":"rsa","scheme":"rsassa-pss-sha256","keyval":{"public":""}}"#,
      .malformed(.unrecognized)
    ),
    (
      #"{"keytype":"rsa","scheme":"rsassa-pss-sha512","keyval":{"public":""}}"#,
      .unknownKind(type: "rsa", scheme: "rsassa-pss-sha512")
    ),
    (
      #"{"keytype":"ed25519","scheme":"ecdsa-sha2-nistp256","keyval":{"public":""}}"#,
      .unknownKind(type: "ed25519", scheme: "ecdsa-sha2-nistp256")
    ),
  ])
  func `a malformed or unknown key counts for nothing`(text: String, fault: KeyFault) throws {
    guard case .object(let members) = try JSONReader.parse(Array(text.utf8)) else {
      Issue.record("no object: \(text)")
      return
    }
    let unnamed = MetadataKey(id: KeyID(""), members: members)
    #expect(unnamed.fault == .wrongID(expected: unnamed.computedID))
    let bad = MetadataKey(id: unnamed.computedID, members: members)
    #expect(bad.fault == fault && bad.key == nil && bad.publicKey == nil)
    let good = try SimulatedKey("a")
    let signatures = [
      MetadataSignature(keyID: bad.id, hex: "00"), try good.sign(Self.message),
    ]
    let count = RoleKeys(keyIDs: [bad.id, good.id], threshold: 1)
      .count(signatures, over: Self.message, keys: KeyTable([bad, good.listed]))
    #expect(count.isMet && count.counted == [good.id])
    #expect(count.ignored.map(\.reason) == [.faulty(fault)])
  }

  @Test func `an RSA key of 1024 bits counts for nothing`() throws {
    let key = SimulatedKey.rsa(bits: 1024)
    let count = Self.count([key], threshold: 1, signatures: [try key.sign(Self.message)])
    let fault = KeyFault.malformed(.wrongModulus(bits: 1024, allowed: 2048...16384))
    #expect(count.ignored.map(\.reason) == [.faulty(fault)])
  }

  @Test func `where names prove nothing, distinct keys are counted all the same`() throws {
    let keys = [try SimulatedKey("a"), SimulatedKey.ecdsa(), try SimulatedKey("c")]
    let role = RoleKeys(keys, threshold: 2)
    let made = try keys.prefix(2).map { try $0.sign(Self.message).bytes ?? [] }
    let table = KeyTable(keys)
    let count = role.count(anyOf: made.reversed() + [[]], over: Self.message, keys: table)
    #expect(count.isMet && count.counted == keys.prefix(2).map(\.id))
    #expect(count.ignored.map(\.reason) == [.unsigned])
    #expect(!role.count(anyOf: [made[0], made[0]], over: Self.message, keys: table).isMet)
    #expect(!role.count(anyOf: made, over: [], keys: table).isMet)
  }

  @Test func `the Ed25519 keys of a role are each given once`() throws {
    let (a, b) = (try SimulatedKey("a"), SimulatedKey.ecdsa())
    let twin = a.relisted(["x": 1])
    let role = RoleKeys([a, b, twin, a])
    #expect(role.publicKeys(in: KeyTable([a, b, twin])) == [a.listed.publicKey])
  }

  @Test func `a table keeps the order of its keys and one of each name`() throws {
    let (a, b) = (try SimulatedKey("a").listed, try SimulatedKey("b").listed)
    var table = KeyTable([a, b, a])
    #expect(table.keys == [a, b] && table[a.id] == a)
    table.remove(a.id)
    #expect(table.keys == [b] && table[a.id] == nil && table[b.id] == b)
    #expect(table == KeyTable([b]) && table != KeyTable([a]) && table != KeyTable())
  }
}
