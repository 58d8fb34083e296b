import Digests
package import Manifests
package import Signatures
import Trust

extension RepositoryDraft {
  /// Who must sign a part: the keys of a role, as one root or delegation has them.
  private struct Demand {
    let keys: RoleKeys
    let table: KeyTable
  }

  /// The parts that are there and can be signed, in the order in which they are made.
  package var parts: [DraftPart] {
    var parts: [DraftPart] = []
    if root != nil { parts.append(.role(.root)) }
    if policy != nil { parts.append(.policy) }
    // Until then the targets name another policy than they will.
    guard isPolicyReady else { return parts }
    parts += targets.keys.sorted { $0.text < $1.text }.map(DraftPart.role)
    if snapshot != nil { parts.append(.role(.snapshot)) }
    if timestamp != nil { parts.append(.role(.timestamp)) }
    return parts
  }

  /// Whether the part has all signatures that clients will ask for, or is not there.
  package func isComplete(_ part: DraftPart) -> Bool { missing(part) == nil }

  /// Whether all parts are there and complete.
  package var isComplete: Bool {
    let needsTimestamp = snapshot != nil || renewsTimestamp || !targets.isEmpty || policy != nil
    return isPolicyReady && missing.isEmpty && (!needsTimestamp || timestamp != nil)
  }

  /// Whether the policy has its signatures, and the targets name it as it is.
  private var isPolicyReady: Bool {
    guard isComplete(.policy) else { return false }
    guard let policy, let path = TargetPath(RepositoryPath.policy) else { return true }
    return contents(.targets)?.targets[path]?.hashes.sha256 == SHA256Digest(of: policy.encode())
  }

  /// What the parts that are there lack.
  package var missing: [MissingSignatures] { parts.compactMap(missing) }

  private func missing(_ part: DraftPart) -> MissingSignatures? {
    for demand in demands(part) {
      let signed = signers(part)
      let owners = demand.keys.publicKeys(in: demand.table)
      let found = owners.filter(signed.contains)
      guard found.count < demand.keys.threshold else { continue }
      return MissingSignatures(
        part: part,
        found: found.count,
        threshold: demand.keys.threshold,
        keys: owners.filter { !signed.contains($0) }.map(\.fingerprint)
      )
    }
    return nil
  }

  /// What a part must meet; all of it for the root, which the old and the new root judge.
  private func demands(_ part: DraftPart) -> [Demand] {
    guard isThere(part), let next = nextRoot else { return [] }
    switch part {
    case .role(.root):
      let old = base?.root.contents
      return (old.map { [Demand(keys: $0.root, table: $0.keys)] } ?? [])
        + [Demand(keys: next.root, table: next.keys)]
    case .policy: return [Demand(keys: next.root, table: next.keys)]
    case .role(let role):
      if let keys = next[role] { return [Demand(keys: keys, table: next.keys)] }
      guard let delegations = contents(.targets)?.delegations,
        case .succinct(let bins) = delegations.form
      else { return [] }
      return [Demand(keys: bins.keys, table: delegations.keys)]
    }
  }

  private func isThere(_ part: DraftPart) -> Bool {
    switch part {
    case .policy: policy != nil
    case .role(.root): root != nil
    case .role(.snapshot): snapshot != nil
    case .role(.timestamp): timestamp != nil
    case .role(let role): targets[role] != nil
    }
  }

  /// The keys whose signatures are of use to a part and are not there.
  ///
  /// Those of the old root are among them while it changes, so that clients that know only one of the two accept what
  /// both have signed.
  package func wanted(_ part: DraftPart) -> [PublicKey] {
    // What the targets name by its hash takes no more signatures.
    if part == .policy, isPolicyReady { return [] }
    var owners = demands(part).flatMap { $0.keys.publicKeys(in: $0.table) }
    if !isCompromised { owners += oldOwners(part) }
    let signed = signers(part)
    var seen = Set(signed)
    return owners.filter { seen.insert($0).inserted }
  }

  private func oldOwners(_ part: DraftPart) -> [PublicKey] {
    guard root != nil, let old = base?.root.contents else { return [] }
    switch part {
    case .policy: return old.root.publicKeys(in: old.keys)
    case .role(let role): return old[role]?.publicKeys(in: old.keys) ?? []
    }
  }

  /// Whether everything but the root is signed so that clients with the old root accept it, too.
  ///
  /// Then the root is published last, and there is no moment at which any client refuses.
  package var suitsOldRoot: Bool {
    guard root != nil, let old = base?.root.contents else { return true }
    return parts.allSatisfy { part in
      guard part != .role(.root) else { return true }
      let keys: RoleKeys? =
        switch part {
        case .policy: old.root
        case .role(let role): old[role]
        }
      guard let keys else { return true }
      let signed = signers(part)
      return keys.publicKeys(in: old.keys).count(where: signed.contains) >= keys.threshold
    }
  }

  /// Who could still sign so that no client refuses for a moment, a line for each part; empty where nothing is to be gained.
  ///
  /// Old keys that were stolen, and those of a root that has expired, are of no use any more.
  package func stillOfUse(at now: Timestamp) -> [MissingSignatures] {
    guard root != nil, !isCompromised, !suitsOldRoot, let old = base?.root.contents,
      old.header.expires > now
    else { return [] }
    return parts.compactMap { part in
      let keys: RoleKeys?
      switch part {
      case .role(.root): return nil
      case .policy: keys = old.root
      case .role(let role): keys = old[role]
      }
      guard let keys else { return nil }
      let (owners, signed) = (keys.publicKeys(in: old.keys), signers(part))
      let (found, able) = (owners.count(where: signed.contains), wanted(part))
      let left = owners.filter(able.contains)
      guard found < keys.threshold, found + left.count >= keys.threshold else { return nil }
      return MissingSignatures(
        part: part,
        found: found,
        threshold: keys.threshold,
        keys: left.map(\.fingerprint)
      )
    }
  }

  /// Whether the new root is published last: what is new suits the old root, and that one still counts.
  package func isRootLast(at now: Timestamp) -> Bool {
    guard root != nil, let old = base?.root.contents else { return false }
    return suitsOldRoot && old.header.expires > now
  }

  /// The bytes that are signed.
  package func signedBytes(_ part: DraftPart) -> [UInt8]? {
    switch part {
    case .policy: policy?.signedBytes
    case .role(.root): root?.signedBytes
    case .role(.snapshot): snapshot?.signedBytes
    case .role(.timestamp): timestamp?.signedBytes
    case .role(let role): targets[role]?.signedBytes
    }
  }

  /// The owners of the signatures of a part that verify.
  package func signers(_ part: DraftPart) -> Set<PublicKey> {
    guard let next = nextRoot else { return [] }
    let tables = [next.keys, base?.root.contents.keys, contents(.targets)?.delegations?.keys]
    let known = tables.compactMap(\.self).flatMap { $0.keys.compactMap(\.publicKey) }
    if case .policy = part { return Set(policy?.signers(among: known) ?? []) }
    guard let bytes = signedBytes(part), let signatures = signatures(part) else { return [] }
    let byID = Dictionary(known.map { (MetadataKey($0).id, $0) }) { first, _ in first }
    return Set(
      signatures.compactMap { signature in
        guard let key = byID[signature.keyID], let own = signature.ed25519,
          key.verifies(own, of: bytes)
        else { return nil }
        return key
      }
    )
  }

  private func signatures(_ part: DraftPart) -> [MetadataSignature]? {
    switch part {
    case .policy: nil
    case .role(.root): root?.signatures
    case .role(.snapshot): snapshot?.signatures
    case .role(.timestamp): timestamp?.signatures
    case .role(let role): targets[role]?.signatures
    }
  }

  /// Adds a signature that was made over ``signedBytes(_:)``.
  ///
  /// - Throws: ``RepositoryProblem`` for a key that has no say, one that has signed, and a signature that does not verify.
  package mutating func add(
    _ signature: Signature,
    by key: PublicKey,
    to part: DraftPart
  ) throws(RepositoryProblem) {
    guard let bytes = signedBytes(part) else { throw .noSuchDraft(part.word) }
    let id = MetadataKey(key).id
    guard !signers(part).contains(key) else { throw .alreadySigned(part, id) }
    guard wanted(part).contains(key) else { throw .unexpectedSigner(key.fingerprint) }
    guard key.verifies(signature, of: bytes) else { throw .signatureDoesNotVerify(part, id) }
    let entry = MetadataSignature(signature, by: key)
    switch part {
    case .policy:
      do { policy = try policy?.adding(signature, by: key) } catch {
        throw .signatureDoesNotVerify(part, id)
      }
    case .role(.root): root = root?.adding(entry)
    case .role(.snapshot): snapshot = snapshot?.adding(entry)
    case .role(.timestamp): timestamp = timestamp?.adding(entry)
    case .role(let role): targets[role] = targets[role]?.adding(entry)
    }
    forgetWhatNames(part)
  }

  /// Drops the parts that name a file by its bytes, which one more signature has changed.
  private mutating func forgetWhatNames(_ part: DraftPart) {
    switch part {
    case .policy, .role(.root), .role(.timestamp): return
    case .role(.snapshot): timestamp = nil
    case .role: (snapshot, timestamp) = (nil, nil)
    }
  }
}

extension MetadataSignature {
  /// The signature if it has the form of one of Ed25519.
  var ed25519: Signature? {
    bytes.flatMap { Signature(bytes: $0) }
  }
}
