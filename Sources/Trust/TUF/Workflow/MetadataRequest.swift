/// A file of metadata that a client asks a mirror for.
package struct MetadataRequest: Hashable, Sendable {
  package let role: RoleName
  /// The version in the name of the file; nil where names have none.
  package let version: Int?
  /// The most bytes to read.
  package let limit: Int

  package init(role: RoleName, version: Int?, limit: Int) {
    (self.role, self.version, self.limit) = (role, version, limit)
  }

  /// The last part of the URL, encoded.
  package var name: String { role.requestName(version: version) }

  /// Asks for the file that is listed with `facts`; refused if that is longer than any may be.
  init(
    role: RoleName,
    facts: FileFacts,
    isVersioned: Bool,
    limit: Int,
    section: String
  ) throws(MetadataRefusal) {
    if let length = facts.length, length > limit {
      throw MetadataRefusal(section: section, role: role, .listedTooLong(length, limit: limit))
    }
    self.init(
      role: role,
      version: isVersioned ? facts.version : nil,
      limit: facts.length ?? limit
    )
  }
}

/// What a mirror answered; a transfer that failed is an error of the caller's own and no answer.
package enum MetadataResponse: Equatable, Sendable {
  case bytes([UInt8])
  /// There is no such file, or none for this client: 404 and 403.
  case absent
  /// There are more bytes than the limit of the request.
  case tooLong
}

extension MetadataResponse {
  /// Returns the bytes that were asked for, or throws why there are none.
  func bytes(of request: MetadataRequest, section: String) throws(MetadataRefusal) -> [UInt8] {
    switch self {
    case .bytes(let bytes) where bytes.count <= request.limit: return bytes
    case .absent: throw MetadataRefusal(section: section, role: request.role, .absent)
    case .bytes, .tooLong:
      throw MetadataRefusal(section: section, role: request.role, .tooLong(limit: request.limit))
    }
  }
}

/// A file that has passed all its checks and is to be stored, byte for byte.
package struct KeptMetadata: Equatable, Sendable {
  package let role: RoleName
  package let version: Int
  package let bytes: [UInt8]

  package init(role: RoleName, version: Int, bytes: [UInt8]) {
    (self.role, self.version, self.bytes) = (role, version, bytes)
  }
}

/// What a client has stored of a repository.
package struct StoredMetadata: Equatable, Sendable {
  /// The root that the user pinned, from which the chain is walked again in each run.
  package var pin: [UInt8]
  /// The roots after the pin, in any order.
  package var chain: [[UInt8]]
  package var timestamp: [UInt8]?
  package var snapshot: [UInt8]?
  package var targets: [UInt8]?

  package init(
    pin: [UInt8],
    chain: [[UInt8]] = [],
    timestamp: [UInt8]? = nil,
    snapshot: [UInt8]? = nil,
    targets: [UInt8]? = nil
  ) {
    (self.pin, self.chain) = (pin, chain)
    (self.timestamp, self.snapshot, self.targets) = (timestamp, snapshot, targets)
  }
}
