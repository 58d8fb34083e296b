import Digests
import StrictJSON

/// Bins of one set of keys, over which targets are spread by the first bits of the SHA-256 of their paths (TAP 15).
package struct SuccinctRoles: Equatable, Sendable {
  /// How many bits may number the bins.
  package static let bitLengths = 1...32
  /// The most bytes in front of the hyphen and eight digits.
  private static let longestPrefix = RoleName.longest - 9

  package var keys: RoleKeys
  /// There are two to the power of this many bins.
  package private(set) var bitLength: Int
  package private(set) var namePrefix: String

  /// Describes bins; another count of bits than 1 to 32, or a prefix too long for a name, is a mistake in the program
  /// and stops it.
  package init(keys: RoleKeys, bitLength: Int, namePrefix: String) {
    precondition(Self.bitLengths.contains(bitLength))
    precondition(namePrefix.utf8.count <= Self.longestPrefix)
    (self.keys, self.bitLength, self.namePrefix) = (keys, bitLength, namePrefix)
  }

  package var binCount: Int { 1 << bitLength }

  /// The names of all bins in their order, each made when it is asked for.
  package var roleNames: some Sequence<RoleName> { (0..<binCount).lazy.map { name(ofBin: $0) } }

  /// The name of the one bin that may speak of a path.
  package func roleName(for path: TargetPath) -> RoleName {
    let start = path.digest.bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return name(ofBin: start >> (32 - bitLength))
  }

  /// The bin as a delegated role.
  ///
  /// It is terminating: no other role of the same delegator could speak of the path.
  func role(for path: TargetPath) -> DelegatedRole {
    DelegatedRole(
      name: roleName(for: path),
      keys: keys,
      isTerminating: true,
      scope: .paths([])
    )
  }

  /// The prefix, a hyphen and the number in as many digits as the last number has.
  private func name(ofBin number: Int) -> RoleName {
    let width = String(binCount - 1, radix: 16).utf8.count
    let digits = String(number, radix: 16)
    let zeros = String(repeating: "0", count: width - digits.utf8.count)
    guard let name = RoleName("\(namePrefix)-\(zeros)\(digits)") else {
      preconditionFailure("the name has a hyphen at least, and its prefix a limit")
    }
    return name
  }

  package static func == (one: SuccinctRoles, other: SuccinctRoles) -> Bool {
    one.keys == other.keys && one.bitLength == other.bitLength
      && ExactText(one.namePrefix) == ExactText(other.namePrefix)
  }
}

extension SuccinctRoles {
  private static let memberNames = RoleKeys.memberNames + ["bit_length", "name_prefix"]

  init(_ members: JSONMembers<MetadataProblem>) throws(MetadataProblem) {
    keys = try RoleKeys(members)
    keys.others = members.others(besides: Self.memberNames)
    bitLength = try members.integer("bit_length", in: Self.bitLengths)
    namePrefix = try members.string("name_prefix")
    guard namePrefix.utf8.count <= Self.longestPrefix else {
      throw .badForm(
        path: members.path(of: "name_prefix"),
        expected: "at most \(Self.longestPrefix) bytes"
      )
    }
  }

  var signed: JSONValue {
    var object = keys.signed
    object["bit_length"] = .integer(Int64(bitLength))
    object["name_prefix"] = .string(namePrefix)
    return .object(object)
  }
}
