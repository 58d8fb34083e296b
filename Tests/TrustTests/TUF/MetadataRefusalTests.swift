import Manifests
import Signatures
import StrictJSON
import Testing
import Trust

/// What a refusal says, in one line that is fit for a terminal.
struct MetadataRefusalTests {
  private static let time = Samples.now
  private static let key = KeyID(String(repeating: "ab", count: 32))

  @Test(
    arguments: [
      (
        .syntax(JSONSyntaxError(offset: 3, problem: .truncated)),
        "is malformed: unexpected end at byte 3", .malformed
      ),
      (
        .shape(JSONShapeError(path: "signed", problem: .missing)),
        "is malformed: signed is missing", .malformed
      ),
      (
        .badForm(path: "signed", expected: "either"), "is malformed: signed must have either",
        .malformed
      ),
      (
        .badRoleName(path: "p", found: "root\u{7}"),
        "is malformed: p delegates to \"root\\u{7}\", which is taken", .malformed
      ),
      (.repeatedSignature(key), "has two signatures of \(key)", .malformed),
      (.wrongVersion(found: 1, expected: 2), "has version 1, not 2", .wrongBytes),
      (.rollback(found: 4, trusted: 7), "rollback, version 4 < 7", .rollback),
      (
        .listedRollback(.targets, found: 1, trusted: 2),
        "lists a rollback of targets, version 1 < 2", .rollback
      ),
      (.vanished(.targets), "no longer lists targets", .rollback),
      (.unlisted, "is not listed in the snapshot", .missing),
      (.expired(time, now: time), "expired on \(time), and it is \(time)", .expired),
      (.wrongLength(found: 1, expected: 2), "has 1 bytes, not 2", .wrongBytes),
      (.wrongDigest(algorithm: "sha256"), "has another sha256 digest than is listed", .wrongBytes),
      (.noKnownDigest, "is listed with no digest of a known kind", .wrongBytes),
      (.listedTooLong(3, limit: 2), "is listed with 3 bytes, over 2", .limit),
      (.tooManyRoles(limit: 32), "is past the limit of 32 delegated roles in one search", .limit),
      (.unsafePath, "has a segment . or .., which no URL keeps", .malformed),
      (.absent, "was not found", .missing),
      (.tooLong(limit: 9), "is longer than 9 bytes", .limit),
    ] as [(MetadataProblem, String, MetadataRefusal.Kind)]
  )
  func `each problem has its words and its kind`(
    problem: MetadataProblem,
    words: String,
    kind: MetadataRefusal.Kind
  ) {
    let refusal = MetadataRefusal(section: "5.0", role: .snapshot, problem)
    #expect(refusal.description == "refused (TUF 5.0): snapshot \(words)")
    #expect(refusal.kind == kind)
  }

  @Test func `too few signatures are told with what stands against each key`() {
    let ids = (0..<10).map { KeyID("key\($0)") }
    let long = KeyID("0123456789abcdef0")
    let reasons: [SignatureCount.Ignored.Reason] = [
      .unlisted, .unsigned, .wrongSignature, .sameKey(as: ids[9]), .faulty(.incomplete),
      .faulty(.wrongID(expected: long)), .faulty(.unknownKind(type: "t\n", scheme: "s")),
      .faulty(.malformed(.unrecognized)), .unsigned,
    ]
    let ignored = zip(ids, reasons).map { SignatureCount.Ignored(id: $0, reason: $1) }
    let count = SignatureCount(threshold: 2, counted: [ids[9]], ignored: ignored)
    let refusal = MetadataRefusal(section: "5.4.2", role: .timestamp, .tooFewSignatures(count))
    #expect(
      refusal.text
        == "timestamp is signed by too few: 1 of 2 needed (key0 is no listed key, key1 has not signed, "
        + "key2 has a signature that does not verify, key3 is the same key as key9, key4 is incomplete, "
        + "key5 has a wrong key id (it is 0123456789ab…), key6 is of an unknown kind (t\\u{a}, s), "
        + "key7 is malformed (the text is no key in a known form))"
    )
    let none = SignatureCount(threshold: 1, counted: [], ignored: [])
    #expect(none.text == "0 of 1 needed" && refusal.kind == .signatures)
  }
}
