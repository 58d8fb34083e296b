package import StrictJSON

package typealias SignedRoot = SignedMetadata<RootMetadata>
package typealias SignedTimestamp = SignedMetadata<TimestampMetadata>
package typealias SignedSnapshot = SignedMetadata<SnapshotMetadata>
package typealias SignedTargets = SignedMetadata<TargetsMetadata>

/// A file of metadata: its contents, its signatures and its bytes.
///
/// Reading proves nothing: until ``RoleKeys/count(_:keys:)`` has answered, nothing in it is known to come from anybody.
package struct SignedMetadata<Role: RoleMetadata>: Equatable, Sendable {
  package let contents: Role
  /// At most one under each name.
  package let signatures: [MetadataSignature]
  /// The file, byte for byte as it was read or as we write it.
  package let bytes: [UInt8]
  /// What the signatures are over: the canonical form of `signed`, with all members that were read.
  package let signedBytes: [UInt8]

  package var version: Int { contents.header.version }

  /// Reads a file; JSON that is ambiguous and contents of another form are refused.
  ///
  /// So are more than `limit` bytes. Refusals name `role`, whose file it is said to be.
  package init(
    parsing bytes: [UInt8],
    as role: RoleName,
    limit: Int
  ) throws(MetadataRefusal) {
    do throws(MetadataProblem) {
      try self.init(strictly: bytes, limit: limit)
    } catch {
      let section = if case .repeatedSignature = error { "4.2.1" } else { Role.section }
      throw MetadataRefusal(section: section, role: role, error)
    }
  }

  private init(strictly bytes: [UInt8], limit: Int) throws(MetadataProblem) {
    let value: JSONValue
    do {
      value = try JSONReader.parse(bytes, limits: JSONLimits(bytes: limit))
    } catch {
      throw .syntax(error)
    }
    let file = try JSONMembers<MetadataProblem>(document: value)
    var names: Set<KeyID> = []
    signatures = try file.objects("signatures").map { entry throws(MetadataProblem) in
      let signature = try MetadataSignature(entry)
      guard names.insert(signature.keyID).inserted else {
        throw .repeatedSignature(signature.keyID)
      }
      return signature
    }
    let signed = try file.object("signed")
    let type = try signed.string("_type")
    guard ExactText(type) == ExactText(Role.type) else {
      throw .text(path: signed.path(of: "_type"), found: type, expected: "\"\(Role.type)\"")
    }
    contents = try Role(signed: signed)
    signedBytes = JSONWriter.rawCanonical(.object(signed.object))
    self.bytes = bytes
  }

  /// Puts contents and signatures into a file: sorted, without white space, the same bytes for the same values.
  ///
  /// Of two signatures under one name the later is kept.
  package init(_ contents: Role, signatures: [MetadataSignature] = []) {
    self.contents = contents
    var kept: [MetadataSignature] = []
    for signature in signatures {
      kept.removeAll { $0.keyID == signature.keyID }
      kept.append(signature)
    }
    self.signatures = kept
    let signed = contents.signed
    signedBytes = JSONWriter.rawCanonical(signed)
    bytes = JSONWriter.canonical([
      "signatures": .array(kept.map(\.document)), "signed": signed,
    ])
  }

  /// The file with one more signature, in the place of the one under the same name.
  ///
  /// Nothing is verified here.
  package func adding(_ signature: MetadataSignature) -> SignedMetadata {
    SignedMetadata(contents, signatures: signatures + [signature])
  }

  /// Refuses a file that too few of the role's keys have signed.
  ///
  /// The refusal names `role` and the step that asks, `section`.
  package func requireThreshold(
    _ keys: RoleKeys,
    in table: KeyTable,
    as role: RoleName,
    section: String
  ) throws(MetadataRefusal) {
    let count = keys.count(self, keys: table)
    guard count.isMet else {
      throw MetadataRefusal(section: section, role: role, .tooFewSignatures(count))
    }
  }
}

extension MetadataSignature {
  /// Reads an entry, which must have a name.
  ///
  /// A signature that is absent or no text counts for nothing, as one that is not hexadecimal does: it spoils no others.
  fileprivate init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    let hex = if case .string(let text)? = members.object["sig"] { text } else { "" }
    self.init(
      keyID: KeyID(try members.string("keyid")),
      hex: hex,
      others: members.others(besides: ["keyid", "sig"])
    )
  }

  /// The signature as it stands in a file, and as it travels on its own.
  package var document: JSONValue {
    var object = others
    object["keyid"] = .string(keyID.text)
    object["sig"] = .string(hex)
    return .object(object)
  }
}
