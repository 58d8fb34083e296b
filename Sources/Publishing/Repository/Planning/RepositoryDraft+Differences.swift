import Digests
import Manifests
import Signatures
import StrictJSON
import Trust

extension RepositoryDraft {
  /// What is different in a part from what is published, a line each, for those who are to sign it.
  ///
  /// It is read from the very bytes that are signed, unknown members included; nothing that the maker of a change says of
  /// it is in it.
  /// - Throws: ``RepositoryProblem/badDocument(_:_:)`` for a policy that is none, ``RepositoryProblem/unreadable(_:)`` for
  ///   bytes that are not what would be shown.
  package func differences(_ part: DraftPart) throws(RepositoryProblem) -> [String] {
    switch part {
    case .policy: try policyDifferences()
    case .role(.root): try differences(part, base?.root, root) + rootWords
    case .role(.snapshot): try differences(part, base?.snapshot, snapshot)
    case .role(.timestamp): try differences(part, base?.timestamp, timestamp)
    case .role(let role):
      try differences(part, role == .targets ? base?.targets : base?.bins[role], targets[role])
    }
  }

  private func differences<Role: RoleMetadata>(
    _ part: DraftPart,
    _ old: SignedMetadata<Role>?,
    _ new: SignedMetadata<Role>?
  ) throws(RepositoryProblem) -> [String] {
    guard let new else { return [] }
    let before = try old.map { file throws(RepositoryProblem) in try Self.lines(part, file) }
    return SignedLines.differences(from: before, to: try Self.lines(part, new))
  }

  /// The lines of what is signed in a file; refuses one that is signed over other bytes than are read here.
  private static func lines<Role: RoleMetadata>(
    _ part: DraftPart,
    _ file: SignedMetadata<Role>
  ) throws(RepositoryProblem) -> SignedLines {
    let limits = JSONLimits(bytes: file.bytes.count)
    guard case .object(let whole)? = try? JSONReader.parse(file.bytes, limits: limits),
      case .object(let signed)? = whole["signed"],
      JSONWriter.rawCanonical(.object(signed)) == file.signedBytes
    else { throw .unreadable(part.word) }
    return SignedLines(signed)
  }

  private func policyDifferences() throws(RepositoryProblem) -> [String] {
    guard let policy else { return [] }
    guard policy.payloadType.utf8.elementsEqual(RepositoryPolicy.payloadType.utf8) else {
      throw .unreadable(DraftPart.policy.word)
    }
    do { _ = try RepositoryPolicy(payload: policy.payload) } catch {
      throw .badDocument(RepositoryPath.policy, error)
    }
    guard let new = Self.lines(policy) else { throw .unreadable(DraftPart.policy.word) }
    return SignedLines.differences(from: base?.policy.flatMap(Self.lines), to: new)
  }

  private static func lines(_ policy: Envelope) -> SignedLines? {
    let limits = JSONLimits(bytes: policy.payload.count)
    guard case .object(let payload)? = try? JSONReader.parse(policy.payload, limits: limits) else {
      return nil
    }
    return SignedLines(payload)
  }

  /// Who comes and goes by a new root, with the names that people know keys by.
  private var rootWords: [String] {
    guard let next = root?.contents else { return [] }
    var lines: [String] = []
    for role in Self.topLevel {
      let (old, new) = (base?.root.contents[role], next[role])
      for id in new?.keyIDs ?? [] where old?.keyIDs.contains(id) != true {
        lines.append("\(role.text) gets \(Self.name(id, next.keys))")
      }
      for id in old?.keyIDs ?? [] where new?.keyIDs.contains(id) != true {
        lines.append("\(role.text) loses \(Self.name(id, base?.root.contents.keys))")
      }
      if let new, new != old {
        lines.append("\(role.text) needs \(new.threshold) of \(new.keyIDs.count)")
      }
    }
    return lines
  }

  private static func name(_ id: KeyID, _ keys: KeyTable?) -> String {
    guard let key = keys?[id] else { return "a key that is not there: \(id.text)" }
    return key.publicKey.map { "\($0.fingerprint)" } ?? "a key that is not Ed25519: \(id.text)"
  }
}
