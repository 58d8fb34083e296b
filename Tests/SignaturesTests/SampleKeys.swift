import Signatures
import Vectors

/// The keys of the first two tests of RFC 8032 section 7.1.
enum SampleKeys {
  static let firstSeed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
  static let firstPublic = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
  static let firstFingerprint = "SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8"
  static let firstInfo = "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
  static let firstBlob = "AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"

  static let secondSeed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
  static let secondPublic = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
  static let secondFingerprint = "SHA256:F34nin7tcaYH6WR5LSWSfj6weFBPfBpuyUUoPFP9YjA"

  static func first() throws -> SecretKey { try SecretKey(hexSeed: firstSeed) }
  static func second() throws -> SecretKey { try SecretKey(hexSeed: secondSeed) }
}

extension SecretKey {
  init(hexSeed: String) throws {
    var seed = bytes(hexSeed)
    self = try SecretKey(seed: SecretBytes(wiping: &seed))
  }
}

extension Passphrase {
  init(_ text: String) throws {
    var bytes = Array(text.utf8)
    self = try Passphrase(wiping: &bytes)
  }
}

extension PrivateKeyFile {
  init(text: String) throws {
    var bytes = Array(text.utf8)
    self = try PrivateKeyFile(text: SecretBytes(wiping: &bytes))
  }

  /// The public half of what opens with `passphrase`, or without one.
  func publicKey(_ passphrase: String? = nil) throws -> PublicKey {
    guard let passphrase else { return try open(with: nil).publicKey }
    return try open(with: Passphrase(passphrase)).publicKey
  }
}
