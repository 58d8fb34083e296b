import Manifests
package import Signatures

/// A file that is written for other tools.
package struct ExportedFile: Hashable, Sendable {
  package let name: String
  package let bytes: [UInt8]

  package init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The list of digests by itself.
  package static func checksums(_ list: ChecksumList) -> ExportedFile {
    ExportedFile(ChecksumList.name, list.bytes)
  }

  /// A signature of the list in one format, and the public key as the tool of that format reads it.
  ///
  /// `identity` is the name of the signer for OpenSSH.
  /// - Throws: What the signer throws.
  package static func signature(
    of list: ChecksumList,
    as format: ExportFormat,
    by signer: borrowing some Signer & ~Copyable,
    identity: SignerIdentity
  ) throws -> [ExportedFile] {
    let key = signer.publicKey
    switch format {
    case .minisign:
      return [
        text("\(ChecksumList.name).minisig", try list.minisignSignature(by: signer)),
        text("minisign.pub", key.minisignFile),
      ]
    case .signify:
      return [
        text("\(ChecksumList.name).sig", try list.signifySignature(by: signer)),
        text("signify.pub", key.signifyFile(name: identity.text)),
      ]
    case .ssh:
      let line = key.allowedSigner(identity.text, namespace: ChecksumList.namespace)
      return [
        text("\(ChecksumList.name).sshsig", try list.sshSignature(by: signer)),
        text("allowed_signers", line),
      ]
    case .openssl:
      return [
        ExportedFile("\(ChecksumList.name).ed25519", try list.rawSignature(by: signer)),
        text("pub.pem", key.pem(name: identity.text)),
      ]
    case .sha256sums, .metalink, .cyclonedx: preconditionFailure("not signed")
    }
  }

  private static func text(_ name: String, _ text: String) -> ExportedFile {
    ExportedFile(name, Array(text.utf8))
  }
}

/// A name of a signer that an `allowed_signers` file can carry as it is: ASCII letters, digits and `@._+-`.
package struct SignerIdentity: Hashable, Sendable {
  package static let release = SignerIdentity(known: "release")

  package let text: String

  /// Reads a name of 1 to 128 bytes that begins with a letter or digit.
  ///
  /// - Throws: ``PublishingError/badIdentity(_:)``.
  package init(_ text: String) throws(PublishingError) {
    let isPlain: (UInt8) -> Bool = { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
    }
    guard 1...128 ~= text.utf8.count, let first = text.utf8.first, isPlain(first),
      text.utf8.allSatisfy({ isPlain($0) || "@._+-".utf8.contains($0) })
    else { throw .badIdentity(text) }
    self.text = text
  }

  private init(known text: String) { self.text = text }
}
