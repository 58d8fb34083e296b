extension AuditVerdict {
  /// What the verdict says, in one sentence without a full stop, whatever it is about.
  package var meaning: String {
    switch self {
    case .ok: "nothing is wrong, as far as the mode of the audit looks"
    case .modified: "the bytes of a file are not the signed ones"
    case .missing: "a file of the release is not there"
    case .extra: "there is something that the manifest does not have"
    case .truncated: "a file is shorter than the signed one"
    case .wrongSize: "a file is longer than the signed one"
    case .empty: "a file is empty"
    case .wrongType: "something else than a file stands in the place of one"
    case .lfsPointer: "a Git LFS pointer stands in the place of a file"
    case .contradiction: "the signed digests of a file contradict each other"
    case .notAModel: "the signed bytes of a file are no model"
    case .wrongMode: "the permission bits are not those of an installed file"
    case .wrongOwner: "a file belongs to another user than the store"
    case .hardlinkedElsewhere: "a file has another name besides, under which it can be changed"
    case .unreadable: "a file cannot be read"
    case .unstableRead: "two reads of the same bytes gave different results"
    case .manifestInvalid: "the manifest cannot be read, or is another version's"
    case .signatureUntrusted: "too few trusted keys have signed the manifest"
    case .keyRevoked: "a key that signed the manifest is withdrawn"
    case .keyExpired: "a key that signed the manifest had ended when it was accepted"
    case .manifestWithdrawn: "the manifest is withdrawn"
    case .expiredManifest: "the manifest is valid no longer"
    case .belowFloor: "the active version is lower than the highest that was active and good"
    case .runtimeTooOld: "the stated runtime is too old for the release"
    case .runtimeUnsuitable: "the stated runtime does not suit the release"
    case .runtimeUnknown: "no version is stated of a runtime that the release needs"
    case .recordMismatch: "the records of the store contradict each other, or what is on disk"
    case .recordDamaged: "a record of the store cannot be read"
    case .markedBad: "the active version is marked bad"
    case .unregisteredVersion: "a version was never verified to its end in this store"
    case .stampMismatch: "files were touched since they were verified in this store"
    case .changedDuringAudit: "another process changed the model during the audit"
    case .notChecked: "the audit did not look at it"
    }
  }
}

extension AuditFinding {
  /// The finding in one sentence, without a full stop and without its place; what came from a file needs escaping.
  package var text: String {
    var parts = [verdict.meaning]
    switch (expected, actual) {
    case (let expected?, let actual?): parts.append("expected \(expected), found \(actual)")
    case (let expected?, nil): parts.append("expected \(expected)")
    case (nil, let actual?): parts.append("found \(actual)")
    case (nil, nil): break
    }
    if let note { parts.append(note) }
    return parts.joined(separator: "; ")
  }
}

extension WrongChunk {
  /// The place in words: `chunk 3, bytes 3145728-4194303`.
  package var place: String { "chunk \(index), bytes \(range.lowerBound)-\(range.upperBound - 1)" }
}
